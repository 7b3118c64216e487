"""The times of SMPP: `YYMMDDhhmmsstnnp`, absolute with an offset in quarters of an hour, or relative."""

import calendar
import re
from datetime import UTC, datetime, timedelta, timezone

_TIME = re.compile(
    r"([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9])([0-9]{2})([-+R])",
    re.ASCII,
)
MAX_QUARTERS = 48


class NotATime(ValueError):
    """A text that is no time of SMPP."""


def read_time(text: str, *, at: datetime) -> datetime | None:
    """The moment that a time means, counted from `at` where it is relative; None for an empty one.
    Raises NotATime.
    """
    if not text:
        return None
    found = _TIME.fullmatch(text)
    if found is None:
        raise NotATime
    year, month, day, hour, minute, second, tenth, quarters = (
        int(part) for part in found.groups()[:8]
    )
    if found[9] == "R":
        later = _months_later(at, 12 * year + month)
        return later + timedelta(days=day, hours=hour, minutes=minute, seconds=second)
    if quarters > MAX_QUARTERS:
        raise NotATime
    offset = timedelta(minutes=15 * quarters) * (1 if found[9] == "+" else -1)
    try:
        local = datetime(
            2000 + year, month, day, hour, minute, second, tenth * 100_000, timezone(offset)
        )
    except ValueError:
        raise NotATime from None
    return local.astimezone(UTC)


def _months_later(at: datetime, months: int) -> datetime:
    """The same day so many months later, or the last one of that month."""
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    day = min(at.day, calendar.monthrange(year, month + 1)[1])
    return at.replace(year=year, month=month + 1, day=day)


def write_time(at: datetime) -> str:
    """An absolute time, in UTC."""
    at = at.astimezone(UTC)
    return f"{at:%y%m%d%H%M%S}{at.microsecond // 100_000}00+"
