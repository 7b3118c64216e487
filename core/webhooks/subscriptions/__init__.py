"""Webhook subscriptions: creating, changing, reading and trying out the endpoints that receive events."""
