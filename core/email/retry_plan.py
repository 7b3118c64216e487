"""When a letter that the relay put off is tried again."""

from datetime import datetime, timedelta

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
GIVE_UP = timedelta(hours=24)


def next_try(created_at: datetime, *, at: datetime) -> datetime | None:
    """A letter waits as long again as it has waited: 30 s, 1, 2, 4 … minutes, then every hour; None
    after a day.

    From its age alone: nothing is to be counted, and a relay that is back after an hour is not
    stormed.
    """
    age = at - created_at
    if age >= GIVE_UP:
        return None
    return at + min(max(age, FIRST_PAUSE), LONGEST_PAUSE)
