"""Webhook signing: stored secrets, signatures, request headers, and checking a received request."""
