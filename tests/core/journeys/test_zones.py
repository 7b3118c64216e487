from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.journeys.runs.zones import date_of, next_clock, zone_of

ROUND = {
    # The clocks go forward at midnight of 2018-11-04 in São Paulo, and back at midnight of 2018-02-18.
    "forward at midnight": ("00:30", "America/Sao_Paulo", "2018-11-04T02:00", "2018-11-04T03:00"),
    "back over midnight": ("23:30", "America/Sao_Paulo", "2018-02-17T12:00", "2018-02-18T01:30"),
    "the second is not another": (
        "23:30",
        "America/Sao_Paulo",
        "2018-02-18T02:00",
        "2018-02-19T02:30",
    ),
    "forward in New York": ("02:30", "America/New_York", "2026-03-08T05:00", "2026-03-08T07:00"),
    "back in New York": ("01:30", "America/New_York", "2026-11-01T04:00", "2026-11-01T05:30"),
    "forward in Lisbon": ("01:30", "Europe/Lisbon", "2026-03-28T12:00", "2026-03-29T01:00"),
    "back in Lisbon": ("01:30", "Europe/Lisbon", "2026-10-24T12:00", "2026-10-25T00:30"),
    "half an hour in Lord Howe": (
        "02:15",
        "Australia/Lord_Howe",
        "2026-10-03T12:00",
        "2026-10-03T15:30",
    ),
    "back in Lord Howe": ("01:45", "Australia/Lord_Howe", "2026-04-04T12:00", "2026-04-04T14:45"),
    "no change in Manaus": ("09:00", "America/Manaus", "2026-11-27T13:00", "2026-11-28T13:00"),
}
"""Clock, zone, after when and when, both in UTC: both changes of the year in four zones."""


@pytest.mark.parametrize("name", ROUND)
def test_a_time_of_day_that_is_left_out_or_comes_twice(name: str) -> None:
    clock, zone, after, expected = ROUND[name]

    found = next_clock(
        clock, ZoneInfo(zone), after=datetime.fromisoformat(after).replace(tzinfo=UTC)
    )

    assert found == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_the_zone_of_a_contact() -> None:
    zones = {
        "+5511999990000": "America/Sao_Paulo",
        "+5568999990000": "America/Rio_Branco",
        "+5592999990000": "America/Manaus",
        "+5581999990000": "America/Sao_Paulo",
        "+12125551212": "America/New_York",
        "+447911123456": "Europe/Guernsey",
        "": "America/Sao_Paulo",
    }

    assert {phone: zone_of({}, phone).key for phone in zones} == zones
    assert zone_of({"fuso": "Asia/Tokyo"}, "+5511999990000").key == "Asia/Tokyo"
    assert zone_of({"fuso": "Marte/Norte"}, "+5511999990000").key == "America/Sao_Paulo"


def test_dates_that_are_none() -> None:
    zone = ZoneInfo("America/Sao_Paulo")

    assert date_of("2026-12-01T10:00", zone) == datetime(2026, 12, 1, 13, tzinfo=UTC)
    assert date_of("0001-01-01T00:00:00+14:00", zone) is None
    assert [date_of(value, zone) for value in ("2026-13-01", "x", "", 5, None, "9" * 5000)] == [
        None
    ] * 6
