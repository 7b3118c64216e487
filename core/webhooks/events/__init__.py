"""Webhook events: types, publishing (the transactional outbox), payloads, feed and retention."""
