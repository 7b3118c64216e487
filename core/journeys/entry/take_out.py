"""Taking everybody out of a journey that is archived, a slice at a time."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.foundation.security.caller import Caller, system_caller
from core.journeys.models import Journey
from core.journeys.runs.finish import finish_runs

SLICE = 10_000
"""Runs that are ended in one transaction."""
ARCHIVED = "arquivada"
"""The reason of a run whose journey was put away."""
TAKEN_OUT = "*"
"""The cursor of an archived journey while there are more to take out."""


async def take_out_archived(*, at: datetime) -> int:
    """Take the next slice out of one archived journey; answers 1 where there was one."""
    async with transaction():
        row = await db.fetchrow(*narrowed(NEXT))
        if row is None:
            return 0
        caller = system_caller(row["organization_id"], row["env"])
        if not await take_out_slice(caller, row["id"], at=at):
            version = Journey.filter(id=row["id"], organization_id=row["organization_id"])
            await version.update(enrol_cursor=None)
    return 1


async def take_out_slice(caller: Caller, journey_id: str, *, at: datetime) -> bool:
    """End some of its runs; answers whether there may be more."""
    owner = (caller.organization_id, caller.env)
    ended = await finish_runs(*owner, SOME, [journey_id, SLICE], reason=ARCHIVED, at=at)
    return ended >= SLICE


NEXT = """
SELECT j.id, j.organization_id, j.env FROM journeys j
WHERE j.enrol_cursor IS NOT NULL AND j.status = 'arquivada' /* whose j. */
ORDER BY j.id LIMIT 1 FOR UPDATE SKIP LOCKED
"""

SOME = """
r.id = ANY (ARRAY(SELECT s.id FROM journey_runs s
                  WHERE s.organization_id = $1 AND s.version_id = $7 AND s.state = 1
                  ORDER BY s.step LIMIT $8 FOR UPDATE SKIP LOCKED))
"""
