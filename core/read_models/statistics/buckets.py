"""Where buckets of time begin, by the calendar and the clock of a zone.

A day, a week (from Monday) or a month begins when its first midnight strikes there, or when the
clock jumps over it: on days of a clock change a bucket is longer or shorter, and one that a zone
left out does not exist. An hour begins when the clock there shows a full hour; the one that comes
twice in autumn is two buckets.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from core.foundation.described_enum import DescribedEnum

MAX_BUCKETS = 1_000

HOUR = timedelta(hours=1)
INSTANT = timedelta(microseconds=1)


class Bucket(DescribedEnum, graphql="StatsBucket"):
    """By the calendar and the clock of the time zone. A week begins on Monday."""

    HOUR = "hour", "An hour"
    DAY = "day", "A day"
    WEEK = "week", "A week, from Monday on"
    MONTH = "month", "A month"


class TooManyBuckets(ValueError):
    """The period holds more than MAX_BUCKETS."""


def bucket_starts(
    since: datetime, until: datetime, bucket: Bucket, zone: ZoneInfo
) -> list[datetime]:
    """The starts, in UTC, of the buckets that hold the instants from `since` to before `until`, in
    their order.

    The first lies at or before `since`. Raises TooManyBuckets.
    """
    begin = _hours(since, zone) if bucket is Bucket.HOUR else _days(since, bucket, zone)
    # Two or three lie before the first: it is found from behind, because a clock change may fall
    # between.
    edges = list(islice(takewhile(until.__gt__, begin), MAX_BUCKETS + 4))
    starts = edges[bisect_right(edges, since) - 1 :]
    if len(starts) > MAX_BUCKETS:
        raise TooManyBuckets
    return starts


def _hours(since: datetime, zone: ZoneInfo) -> Iterator[datetime]:
    """Full hours of the zone's clock, from more than one before `since`."""
    at = since - 2 * HOUR
    while True:
        local = at.astimezone(zone)
        at += HOUR - timedelta(
            minutes=local.minute, seconds=local.second, microseconds=local.microsecond
        )
        yield at


def _days(since: datetime, bucket: Bucket, zone: ZoneInfo) -> Iterator[datetime]:
    """First midnights of the zone's calendar, from one before the bucket of `since`."""
    wall = _first_midnight(since.astimezone(zone).replace(tzinfo=None), bucket)
    wall = _first_midnight(wall - INSTANT, bucket)
    last = None
    while True:
        at = wall.replace(tzinfo=zone).astimezone(UTC)
        if at != last:  # a day that the zone left out begins and ends at once
            yield at
        last = at
        wall = _next_midnight(wall, bucket)


def _first_midnight(wall: datetime, bucket: Bucket) -> datetime:
    """With which the bucket of a time on the clock begins."""
    day = wall.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    match bucket:
        case Bucket.WEEK:
            return day - timedelta(days=day.weekday())
        case Bucket.MONTH:
            return day.replace(day=1)
    return day


def _next_midnight(wall: datetime, bucket: Bucket) -> datetime:
    match bucket:
        case Bucket.WEEK:
            return wall + timedelta(days=7)
        case Bucket.MONTH:
            return _first_midnight(wall + timedelta(days=31), bucket)
    return wall + timedelta(days=1)
