"""Where buckets begin, by the calendar and the clock of a zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.read_models.statistics.buckets import MAX_BUCKETS, Bucket, TooManyBuckets, bucket_starts

HOUR = timedelta(hours=1)


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def starts(since: str, until: str, bucket: Bucket, zone: str = "UTC") -> list[str]:
    found = bucket_starts(instant(since), instant(until), bucket, ZoneInfo(zone))
    assert all(start.tzinfo is UTC for start in found)
    return [start.strftime("%m-%d %H:%M") for start in found]


@pytest.mark.parametrize(
    ("bucket", "since", "until", "expected"),
    [
        (Bucket.HOUR, "2026-03-01 10:20", "2026-03-01 12:00", ["03-01 10:00", "03-01 11:00"]),
        (Bucket.HOUR, "2026-03-01 10:00", "2026-03-01 10:01", ["03-01 10:00"]),
        (
            Bucket.DAY,
            "2026-02-27 23:59",
            "2026-03-01 00:01",
            ["02-27 00:00", "02-28 00:00", "03-01 00:00"],
        ),
        (Bucket.DAY, "2026-03-01 00:00", "2026-03-02 00:00", ["03-01 00:00"]),
        (Bucket.WEEK, "2026-03-01 10:00", "2026-03-02 00:01", ["02-23 00:00", "03-02 00:00"]),
        (
            Bucket.MONTH,
            "2025-12-31 10:00",
            "2026-03-01 00:00",
            ["12-01 00:00", "01-01 00:00", "02-01 00:00"],
        ),
    ],
)
def test_a_bucket_begins_at_a_full_hour_at_midnight_on_monday_or_on_the_first(
    bucket: Bucket, since: str, until: str, expected: list[str]
) -> None:
    assert starts(since, until, bucket) == expected


def test_days_are_those_of_the_zone() -> None:
    assert starts("2026-03-01 02:00", "2026-03-01 04:00", Bucket.DAY, "America/Sao_Paulo") == [
        "02-28 03:00",
        "03-01 03:00",
    ]
    assert starts("2026-03-01 02:00", "2026-03-01 04:00", Bucket.MONTH, "America/Sao_Paulo") == [
        "02-01 03:00",
        "03-01 03:00",
    ]


@pytest.mark.parametrize(
    ("zone", "since", "until", "hours"),
    [
        ("America/New_York", "2026-03-07 05:00", "2026-03-10 04:00", [24, 23, 24]),
        ("America/New_York", "2026-10-31 04:00", "2026-11-03 05:00", [24, 25, 24]),
        (
            "America/Sao_Paulo",
            "2018-11-03 03:00",
            "2018-11-06 02:00",
            [24, 23, 24],
        ),  # no midnight on the 4th
        (
            "America/Sao_Paulo",
            "2018-02-17 02:00",
            "2018-02-19 03:00",
            [25, 24],
        ),  # 23:00 comes twice
        (
            "America/Havana",
            "2026-10-31 04:00",
            "2026-11-03 05:00",
            [24, 25, 24],
        ),  # midnight comes twice
        ("Pacific/Apia", "2011-12-29 10:00", "2011-12-31 10:00", [24, 24]),  # the 30th never was
    ],
)
def test_a_day_of_a_clock_change_is_as_long_as_it_was(
    zone: str, since: str, until: str, hours: list[int]
) -> None:
    begin, end = instant(since), instant(until)

    found = bucket_starts(begin, end, Bucket.DAY, ZoneInfo(zone))

    assert found[0] == begin
    assert [
        (after - start) / HOUR for start, after in zip(found, [*found[1:], end], strict=True)
    ] == hours


def test_the_hour_that_comes_twice_is_two_buckets_and_the_one_left_out_is_none() -> None:
    autumn = starts("2026-11-01 04:30", "2026-11-01 07:30", Bucket.HOUR, "America/New_York")
    spring = starts("2026-03-08 06:30", "2026-03-08 08:30", Bucket.HOUR, "America/New_York")

    assert autumn == ["11-01 04:00", "11-01 05:00", "11-01 06:00", "11-01 07:00"]
    assert spring == ["03-08 06:00", "03-08 07:00", "03-08 08:00"]


def test_hours_are_those_of_the_zones_clock_also_where_it_jumps_by_half_an_hour() -> None:
    assert starts("2026-03-01 10:20", "2026-03-01 12:00", Bucket.HOUR, "Asia/Kolkata") == [
        "03-01 09:30", "03-01 10:30", "03-01 11:30",
    ]  # fmt: skip
    # From 02:00 to 02:30 on the 4th of October there.
    assert starts("2026-10-03 15:40", "2026-10-03 17:30", Bucket.HOUR, "Australia/Lord_Howe") == [
        "10-03 15:30", "10-03 16:00", "10-03 17:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "zone", ["UTC", "America/Sao_Paulo", "Pacific/Apia", "Africa/Monrovia", "Asia/Kathmandu"]
)
@pytest.mark.parametrize("bucket", list(Bucket))
def test_buckets_hold_the_whole_period_and_follow_each_other(bucket: Bucket, zone: str) -> None:
    since = instant("2011-12-28 13:37")
    until = (
        since
        + {Bucket.HOUR: 40, Bucket.DAY: 900, Bucket.WEEK: 6_900, Bucket.MONTH: 30_000}[bucket]
        * 24
        * HOUR
    )

    found = bucket_starts(since, until, bucket, ZoneInfo(zone))

    assert found[0] <= since < found[1]
    assert found[-1] < until
    assert found == sorted(set(found))


def test_there_are_a_thousand_buckets_and_no_more() -> None:
    since = instant("2026-01-01 00:00")
    longest = since + MAX_BUCKETS * HOUR

    assert len(bucket_starts(since, longest, Bucket.HOUR, ZoneInfo("UTC"))) == MAX_BUCKETS
    with pytest.raises(TooManyBuckets):
        bucket_starts(since, longest + timedelta(microseconds=1), Bucket.HOUR, ZoneInfo("UTC"))
