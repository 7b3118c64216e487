"""Webhook delivery: claims, concurrency limits, attempts, retries, circuit breaker, replay."""
