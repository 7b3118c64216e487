"""The Retry-After header (RFC 9110, 10.2.3): how long a server asks us to wait."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(value: str | None, at: datetime) -> float | None:
    """Seconds from `at`, never negative; None when the header is missing or unreadable.

    `value` is the header's text: a number of seconds or an HTTP date.
    """
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:10]) if len(value) <= 10 else 1e10
    try:
        moment = parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - at).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
