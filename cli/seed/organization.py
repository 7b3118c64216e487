"""The use case of `svc seed`: fill an organization with realistic data, the same every time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any

from cli.seed.chunks import one_at_a_time
from cli.seed.errors import SeededOtherwise
from cli.seed.parts import PARTS, SeedPart
from cli.seed.requested_parts import RequestedPart, remember, requested_before
from cli.seed.run import Run, Tell
from cli.seed.team import read_team
from core import organizations
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller

DEFAULT_DAYS = 90


@dataclass(frozen=True, slots=True)
class SeedRequest:
    """How many rows of each part, and which of all possible sets: `seed`.

    `as_of`: when it all ends; None is where this seed's data ends here already, else the beginning
    of today in UTC. `days`: how long messages were sent before that.
    """

    counts: Mapping[str, int]
    seed: int = 1
    as_of: datetime | None = None
    days: int = DEFAULT_DAYS


async def seed_organization(
    caller: Caller, request: SeedRequest, *, tell: Tell = lambda *_: None
) -> dict[str, Any]:
    """Write what is asked for and not there yet; answers `{seed, asOf, days, …}` with the number of
    new rows by kind.

    Asking again writes nothing twice, and goes on where an earlier run was interrupted. Raises
    NoSuchOrganization, NobodyWorksHere, ValidationFailed, SeededOtherwise, and what the parts
    raise.
    """
    if not await organizations.Organization.is_known(caller.organization_id):
        raise organizations.NoSuchOrganization
    team = await read_team(caller.organization_id)
    counts = {part.name: _count_of(part, request) for part in PARTS}
    as_of, agreed = await _agree(
        caller, request, {name: count for name, count in counts.items() if count}
    )
    written = dict.fromkeys(counts, 0)
    for part in PARTS:
        if not counts[part.name]:
            continue
        asked = agreed[part.name]
        run = Run(caller, request.seed, as_of, request.days, tell, team, asked.counts)
        new = await part.write(run, asked.count)
        written |= new
        if any(new.values()):
            # Otherwise the planner would take the tables for empty until autovacuum comes by.
            await db.execute(f"ANALYZE {', '.join(part.tables)}")
    return {"seed": request.seed, "asOf": wire_time(as_of), "days": request.days, **written}


def _count_of(part: SeedPart, request: SeedRequest) -> int:
    """How many rows of a part: as many as are wished for, or as come with what is wished for."""
    if part.derived is None:
        return request.counts.get(part.name, 0)
    return part.derived.count(request.counts.get(part.derived.base, 0))


async def _agree(
    caller: Caller, request: SeedRequest, wanted: Mapping[str, int]
) -> tuple[datetime, dict[str, RequestedPart]]:
    """When it all ends, and what will be there then, by part: noted now, or the same as was asked
    for before.

    Raises SeededOtherwise and ValidationFailed.
    """
    at = now()
    async with transaction():
        await one_at_a_time((caller.organization_id, caller.env))
        before = await requested_before(caller, request.seed)
        as_of = (
            request.as_of
            or next((asked.as_of for asked in before.values()), None)
            or _beginning_of(at)
        )
        if as_of > at:
            message = "The data ends in the past"
            raise ValidationFailed(
                errors=[FieldError("parameter", "asOf", "in_the_future", message)]
            )
        counts = {name: asked.count for name, asked in before.items()}
        for part, count in wanted.items():
            asked = RequestedPart(part, count, as_of, request.days, dict(counts))
            if part not in before:
                await remember(caller, request.seed, asked, at=at)
            elif not before[part].is_same_as(asked):
                raise SeededOtherwise(request.seed, before[part])
            counts[part] = asked.count
            before.setdefault(part, asked)
    return as_of, before


def _beginning_of(at: datetime) -> datetime:
    return datetime.combine(at, time.min, UTC)
