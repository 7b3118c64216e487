"""Webhook delivery: queue, claims, concurrency limits, attempts, retries, circuit breaker, log, replay."""
