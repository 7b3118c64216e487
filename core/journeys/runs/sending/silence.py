"""When a journey sends nothing: its own hours, and those of its organization, in a person's zone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from core.organizations import QuietHours

SPREAD = timedelta(minutes=10)
"""Over which those leave who waited for the end of a silence."""

UTC = ZoneInfo("UTC")
MAX_STEPS = 8
"""Windows that may follow one upon the other, in which the end of all is looked for."""


@dataclass(frozen=True, slots=True)
class QuietWindows:
    """The windows in which nothing is sent: those of the journey are by the contact's clock, those of
    the organization by its own, unless the contact tells its zone.
    """

    own: QuietHours | None
    organization: QuietHours | None

    @classmethod
    def of(
        cls, stored: Mapping[str, Any] | None, organization: QuietHours | None
    ) -> "QuietWindows":
        """Of a journey, as its hours are stored."""
        if stored is None:
            return cls(None, organization)
        start, end = (time.fromisoformat(stored[name]) for name in ("inicio", "fim"))
        return cls(QuietHours(start, end, UTC), organization)

    @property
    def is_never(self) -> bool:
        """Whether there is no window at all."""
        return self.own is None and self.organization is None

    def ends_after(self, at: datetime, *, zone: ZoneInfo, told: bool) -> datetime | None:
        """When nothing is silent any more, in UTC; None where it is not silent at this moment.
        `zone`: the contact's; `told`: the contact has it as an attribute.
        """
        windows = [] if self.own is None else [replace(self.own, zone=zone)]
        if self.organization is not None:
            windows.append(replace(self.organization, zone=zone) if told else self.organization)
        until = at
        for _ in range(MAX_STEPS):
            ends = [end for window in windows if (end := window.ends_after(until)) is not None]
            if not ends:
                break
            until = max(ends)
        return None if until == at else until


def spread(run: UUID) -> timedelta:
    """How long after the end of a silence a run goes on: always the same for it."""
    share = int.from_bytes(sha256(run.bytes).digest()[:4], "big") / 2**32
    return SPREAD * share
