"""What a seed was asked to write before, kept in the audit trail for everybody to see."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core import audit
from core.foundation.database import db
from core.foundation.security.caller import Caller

ACTION = "data.seeded"


@dataclass(frozen=True, slots=True)
class RequestedPart:
    """One part of a seed. `counts`: how many rows the parts had that it builds on."""

    part: str
    count: int
    as_of: datetime
    days: int
    counts: Mapping[str, int]

    def is_same_as(self, other: "RequestedPart") -> bool:
        """Whether both ask for the same rows; on what these build was settled the first time."""
        return (self.count, self.as_of, self.days) == (other.count, other.as_of, other.days)


async def requested_before(caller: Caller, seed: int) -> dict[str, RequestedPart]:
    """What this seed was asked for here, by part."""
    rows = await db.fetch(
        "SELECT facts FROM audit_entries WHERE organization_id = $1 AND env = $2 AND subject_id "
        "= $3 AND action = $4 "
        "ORDER BY at, id",
        caller.organization_id,
        caller.env,
        _subject(seed),
        ACTION,
    )
    return {asked.part: asked for asked in (_asked(row["facts"]) for row in rows)}


async def remember(caller: Caller, seed: int, asked: RequestedPart, *, at: datetime) -> None:
    """Note what is going to be written."""
    facts = {
        "part": asked.part,
        "count": asked.count,
        "asOf": asked.as_of.isoformat(),
        "days": asked.days,
        "counts": dict(asked.counts),
    }
    await audit.write_entry(caller, ACTION, _subject(seed), facts, at=at)


def _subject(seed: int) -> str:
    return f"seed_{seed}"


def _asked(facts: Mapping[str, Any]) -> RequestedPart:
    return RequestedPart(
        facts["part"],
        facts["count"],
        datetime.fromisoformat(facts["asOf"]),
        facts["days"],
        facts["counts"],
    )
