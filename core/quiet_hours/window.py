"""The arithmetic of a quiet window: wall clocks of one zone, half-open, and perhaps over midnight."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` until before `end`, on each of `days` (0 is Sunday; None: every day) that it
    begins on.

    Start and end alike mean that it is off. `exceptions` name kinds of content that it lets pass.
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
