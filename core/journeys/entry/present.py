"""Enrolling those who were there already when their journey was activated, a slice at a time."""

from collections.abc import Mapping
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.journeys.entry.sources import MAY_ENTER
from core.journeys.models import Journey
from core.journeys.runs.enrol import enrol
from core.journeys.runs.program import read_program

SLICE = 50_000
"""Contacts that are looked at in one transaction."""


async def enrol_present(*, at: datetime) -> int:
    """Enrol the next slice of one journey; answers 1 where there was one. A worker that is cut off
    leaves the cursor where it was.
    """
    async with transaction():
        row = await db.fetchrow(*narrowed(NEXT))
        if row is None:
            return 0
        program = read_program(row)
        table, column, ref = _source(program.trigger)
        values = [program.organization_id, program.env, ref, row["enrol_cursor"]]
        last = await db.fetchval(_last(table, column), *values)
        if last is not None:
            await enrol(program, _present(table, column), [*values, last], at=at)
        version = Journey.filter(id=row["id"], organization_id=program.organization_id)
        await version.update(enrol_cursor=last)
    return 1


def _source(trigger: Mapping[str, str]) -> tuple[str, str, str]:
    """The table and the column that hold who is there, by the id of the segment or the list."""
    if "segmentId" in trigger:
        return "segment_members", "segment_id", trigger["segmentId"]
    return "contact_list_members", "list_id", trigger["listId"]


def _last(table: str, column: str) -> str:
    """SQL for the last contact of the next slice; none where there is no more."""
    return f"""
SELECT max(s.contact_id) FROM (
    SELECT m.contact_id FROM {table} m
    WHERE m.{column} = $3 AND m.organization_id = $1 AND m.env = $2 AND m.contact_id > $4::text
    ORDER BY m.contact_id LIMIT {SLICE}) AS s
"""


def _present(table: str, column: str) -> str:
    """SQL for those of the slice who may enter."""
    return f"""
SELECT m.contact_id FROM {table} m
WHERE m.{column} = $3 AND m.organization_id = $1 AND m.env = $2
  AND m.contact_id > $4::text AND m.contact_id <= $5::text
  AND EXISTS (SELECT FROM contacts c WHERE c.id = m.contact_id AND {MAY_ENTER})
"""


NEXT_SLICE = """
SELECT min(activated_at) FROM journeys
WHERE organization_id = $1 AND env = 'test' AND enrol_cursor IS NOT NULL AND status = 'ativa'
"""
"""When those present in a sandbox are due."""

# A segment is waited for until all of its members are written down.
NEXT = """
SELECT j.id, j.organization_id, j.env, j.lineage_id, j.program, j.steps, j.entry_step_id, j.trigger, j.quiet,
       j.frequency_cap, j.goal, j.exit_when, j.reentry, j.reentry_hours, j.enrol_cursor
FROM journeys j
WHERE j.enrol_cursor IS NOT NULL AND j.status = 'ativa' AND NOT EXISTS (
    SELECT FROM journey_watches w
    WHERE w.version_id = j.id AND w.organization_id = j.organization_id AND w.kind = 'segment' AND w.checked_at IS NULL) /* whose j. */
ORDER BY j.activated_at, j.id LIMIT 1
FOR UPDATE OF j SKIP LOCKED
"""
