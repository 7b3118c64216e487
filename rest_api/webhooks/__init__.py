"""Webhook subscriptions over REST."""
