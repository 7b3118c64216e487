"""Quiet hours: when an organization disturbs nobody, by wall clocks of one zone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core import audit
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.organizations.models import QuietWindow


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` until before `end`, perhaps over midnight, on each of `days` (0 is Sunday; None:
    every day) that they begin on.

    Start and end alike mean that they are off. `exceptions` name kinds of content that pass.
    """

    start: time
    end: time
    zone: ZoneInfo
    days: Sequence[int] | None = None
    exceptions: Sequence[str] = ()

    def ends_after(self, at: datetime) -> datetime | None:
        """When the quiet around `at` is over, in UTC; None when `at` is not quiet."""
        if self.start == self.end:
            return None
        today = at.astimezone(self.zone).date()
        for begins in (today - timedelta(days=1), today):
            if self.days is not None and begins.isoweekday() % 7 not in self.days:
                continue
            ends = begins if self.start < self.end else begins + timedelta(days=1)
            from_, until = (
                datetime.combine(day, clock, self.zone).astimezone(UTC)
                for day, clock in ((begins, self.start), (ends, self.end))
            )
            if from_ <= at < until:
                return until
        return None


async def find_quiet_hours(caller: Caller) -> QuietHours | None:
    """Those of the caller's environment; None when there are none."""
    stored = await QuietWindow.visible_to(caller).first()
    if stored is None:
        return None
    return QuietHours(
        time.fromisoformat(stored.start),
        time.fromisoformat(stored.end),
        ZoneInfo(stored.zone),
        stored.days,
        stored.exceptions,
    )


async def store_quiet_hours(caller: Caller, hours: QuietHours | None, *, at: datetime) -> None:
    """Put these in the place of the ones before; None: there is no quiet any more."""
    async with transaction():
        if hours is None:
            await QuietWindow.visible_to(caller).delete()
        else:
            values: dict[str, Any] = {
                "start": f"{hours.start:%H:%M}",
                "end": f"{hours.end:%H:%M}",
                "zone": hours.zone.key,
                "days": None if hours.days is None else list(hours.days),
                "exceptions": list(hours.exceptions),
                "updated_at": at,
            }
            await QuietWindow.update_or_create(defaults=values, **owned_by(caller))
        await audit.write_entry(
            caller, "quiet_hours.changed", None, {"on": hours is not None}, at=at
        )
