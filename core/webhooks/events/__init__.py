"""Webhook events: their types, publishing (the transactional outbox), payloads, feed and retention."""
