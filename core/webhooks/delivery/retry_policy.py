"""When a failed delivery is tried again, and when it has been tried enough.

Source: decisions, Webhooks, Delivery rules. With the defaults (30 s, 8 attempts) the waits are 30
s, 2 min, 8 min, 32 min, 2 h 8 min, 8 h 32 min and 12 h.
"""

from datetime import datetime, timedelta

from core.webhooks.delivery.circuit_breaker import PROBE_EVERY

LONGEST_WAIT_SECONDS = 43_200
JITTER = 0.2

LONGEST_RETRY_AFTER_SECONDS = 3_600
_MAY_ASK_FOR_TIME = frozenset({429, 503})


def delay_before_attempt(n_failed: int, backoff_seconds: int, jitter: float) -> timedelta:
    """The wait after the `n_failed`-th failed attempt (1 after the first).

    `jitter` is the caller's draw, evenly from -1 to 1, and moves the wait by up to a fifth either
    way, so that what failed together does not come back together; 0 is the plain plan.
    """
    # From the ninth on even the shortest backoff is past the longest wait; larger powers only cost
    # time.
    growth = 4 ** min(n_failed - 1, 8)
    seconds = min(backoff_seconds * growth, LONGEST_WAIT_SECONDS)
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
    wait = delay_before_attempt(n_failed, backoff_seconds, jitter)
    return at + max(wait, _asked(status, retry_after))


def next_probe(at: datetime, *, status: int | None, retry_after: float | None) -> datetime:
    """When a failing receiver is tried next: after a minute, or when it asks to be, as above."""
    return at + max(PROBE_EVERY, _asked(status, retry_after))


def _asked(status: int | None, retry_after: float | None) -> timedelta:
    """The time that a receiver may ask for and asks for."""
    if retry_after is None or status not in _MAY_ASK_FOR_TIME:
        return timedelta(0)
    return timedelta(seconds=min(retry_after, LONGEST_RETRY_AFTER_SECONDS))


def spent(attempts: int, max_attempts: int) -> bool:
    """True when `attempts` made are all there are: the delivery is dead."""
    return attempts >= max_attempts
