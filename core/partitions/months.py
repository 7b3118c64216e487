"""Months, as the bounds and names of partitions spell them. Always in UTC."""

from datetime import UTC, date, datetime, time


def month_of(at: datetime) -> date:
    """The first day of the month that an instant lies in."""
    return at.astimezone(UTC).date().replace(day=1)


def months_later(month: date, count: int) -> date:
    """The first day of the month so many months later; a negative count goes back."""
    years, index = divmod(month.month - 1 + count, 12)
    return date(month.year + years, index + 1, 1)


def start_of(month: date) -> datetime:
    """The instant at which a month begins."""
    return datetime.combine(month, time(), UTC)


def bound(month: date) -> str:
    """A month's beginning as a literal of SQL."""
    return f"'{month.isoformat()} 00:00:00+00'"


def partition_name(table: str, month: date) -> str:
    """The partition of a month, as `messages_2027_01`."""
    return f"{table}_{month:%Y_%m}"
