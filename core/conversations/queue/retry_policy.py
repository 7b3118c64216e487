"""The retry policy: when a message that the platform put off is tried again (backoff)."""

from datetime import datetime, timedelta

MAX_ATTEMPTS = 5
MIN_BACKOFF = timedelta(seconds=10)
MAX_BACKOFF = timedelta(hours=1)


def next_try(attempts: int, *, at: datetime, retry_after: int | None = None) -> datetime | None:
    """10, 40, 160 and 640 seconds after the first four attempts, or later where the platform asked
    for it; None after the fifth.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    pause = MIN_BACKOFF * (1 << 2 * max(0, attempts - 1))
    return at + min(max(pause, timedelta(seconds=retry_after or 0)), MAX_BACKOFF)
