"""The retry policy of e-mails that the relay deferred: exponential backoff, for a day."""

from datetime import datetime, timedelta

FIRST_BACKOFF = timedelta(seconds=30)
MAX_BACKOFF = timedelta(hours=1)
RETRY_TIMEOUT = timedelta(hours=24)


def next_attempt(created_at: datetime, *, at: datetime) -> datetime | None:
    """An e-mail waits as long again as it has waited: 30 s, 1, 2, 4 … minutes, then every hour; None
    after a day.

    From its age alone: nothing is to be counted, and a relay that is back after an hour is not
    stormed.
    """
    age = at - created_at
    if age >= RETRY_TIMEOUT:
        return None
    return at + min(max(age, FIRST_BACKOFF), MAX_BACKOFF)
