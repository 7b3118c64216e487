"""Webhook subscriptions: creating, changing, reading and trying out endpoints."""
