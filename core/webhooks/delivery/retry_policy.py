"""Retry policy: the backoff after a failed delivery, and when its attempts are exhausted.

Source: decisions, Webhooks, Delivery rules. With the defaults (30 s, 8 attempts) the waits are 30
s, 2 min, 8 min, 32 min, 2 h 8 min, 8 h 32 min and 12 h.
"""

from datetime import datetime, timedelta

from core.webhooks.delivery.circuit_breaker import PROBE_INTERVAL

MAX_BACKOFF_SECONDS = 43_200
JITTER = 0.2

MAX_RETRY_AFTER_SECONDS = 3_600
_RETRY_AFTER_STATUSES = frozenset({429, 503})


def backoff(n_failed: int, backoff_seconds: int, jitter: float) -> timedelta:
    """The wait after the `n_failed`-th failed attempt (1 after the first).

    `jitter` is the caller's draw, evenly from -1 to 1, and moves the wait by up to a fifth either
    way, so that what failed together does not come back together; 0 is the plain policy.
    """
    # From the ninth on even the shortest backoff is past the longest wait; larger powers only cost
    # time.
    growth = 4 ** min(n_failed - 1, 8)
    seconds = min(backoff_seconds * growth, MAX_BACKOFF_SECONDS)
    return timedelta(seconds=seconds * (1 + JITTER * jitter))


def next_due(
    at: datetime,
    *,
    n_failed: int,
    backoff_seconds: int,
    jitter: float,
    status: int | None,
    retry_after: float | None,
) -> datetime:
    """When the next attempt is due, after one that failed at `at`.

    `status` is what the receiver answered, None when nothing came; `retry_after` is in seconds. A
    receiver that answers 429 or 503 may ask for a longer wait than planned, up to an hour. It may
    not ask for a shorter one: its attempts would be spent in a second.
    """
    wait = backoff(n_failed, backoff_seconds, jitter)
    return at + max(wait, _requested_wait(status, retry_after))


def next_probe(at: datetime, *, status: int | None, retry_after: float | None) -> datetime:
    """When a failing receiver is tried next: after a minute, or when it asks to be, as above."""
    return at + max(PROBE_INTERVAL, _requested_wait(status, retry_after))


def _requested_wait(status: int | None, retry_after: float | None) -> timedelta:
    """The time that a receiver may ask for and asks for."""
    if retry_after is None or status not in _RETRY_AFTER_STATUSES:
        return timedelta(0)
    return timedelta(seconds=min(retry_after, MAX_RETRY_AFTER_SECONDS))


def is_exhausted(attempts: int, max_attempts: int) -> bool:
    """True when `attempts` made are all there are: the delivery is dead (a dead letter)."""
    return attempts >= max_attempts
