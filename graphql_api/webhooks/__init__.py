"""Webhooks in the schema."""
