"""The arithmetic of the quiet hours."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from core.organizations import QuietHours

SAO_PAULO = ZoneInfo("America/Sao_Paulo")  # three hours behind, all year
NEW_YORK = ZoneInfo("America/New_York")
NIGHT = QuietHours(time(22), time(8), SAO_PAULO)
NOON = QuietHours(time(12), time(14), SAO_PAULO)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("window", "asked", "until"),
    [
        (NIGHT, "2026-11-21T00:59:59.999999", None),
        (NIGHT, "2026-11-21T01:00:00", "2026-11-21T11:00:00"),
        (NIGHT, "2026-11-21T03:00:00", "2026-11-21T11:00:00"),
        (NIGHT, "2026-11-21T10:59:59.999999", "2026-11-21T11:00:00"),
        (NIGHT, "2026-11-21T11:00:00", None),
        (NOON, "2026-11-21T14:59:59", None),
        (NOON, "2026-11-21T15:00:00", "2026-11-21T17:00:00"),
        (NOON, "2026-11-21T17:00:00", None),
        (QuietHours(time(8), time(8), SAO_PAULO), "2026-11-21T11:00:00", None),
        # A Saturday: the night that began on Friday is one of Friday's.
        (
            QuietHours(time(22), time(8), SAO_PAULO, [5]),
            "2026-11-21T03:00:00",
            "2026-11-21T11:00:00",
        ),
        (QuietHours(time(22), time(8), SAO_PAULO, [6]), "2026-11-21T03:00:00", None),
        (
            QuietHours(time(22), time(8), SAO_PAULO, [0]),
            "2026-11-23T02:00:00",
            "2026-11-23T11:00:00",
        ),
        # The clocks go back an hour in this night, and forward in that one.
        (QuietHours(time(22), time(8), NEW_YORK), "2026-11-01T03:00:00", "2026-11-01T13:00:00"),
        (QuietHours(time(22), time(8), NEW_YORK), "2026-03-08T04:00:00", "2026-03-08T12:00:00"),
    ],
)
def test_quiet_is_half_open_by_the_wall_clock_and_may_cross_midnight(
    window: QuietHours, asked: str, until: str | None
) -> None:
    assert window.ends_after(at(asked)) == (until and at(until))
