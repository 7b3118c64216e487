"""When a message that the platform put off is tried again."""

from datetime import datetime, timedelta

MOST_ATTEMPTS = 5
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)


def next_try(attempts: int, *, at: datetime, retry_after: int | None = None) -> datetime | None:
    """10, 40, 160 and 640 seconds after the first four attempts, or later where the platform asked
    for it; None after the fifth.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    pause = FIRST_PAUSE * (1 << 2 * max(0, attempts - 1))
    return at + min(max(pause, timedelta(seconds=retry_after or 0)), LONGEST_PAUSE)
