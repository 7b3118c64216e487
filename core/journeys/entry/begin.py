"""The beginning of a version: what it watches, who is there already, and the version before."""

from datetime import datetime

from core.foundation import jobs
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.entry.members import compare_at_once
from core.journeys.entry.sources import takes_those_present
from core.journeys.inputs import NewJourney
from core.journeys.models import Journey, JourneyStatus
from core.journeys.runs.models import JourneyWatch, WatchKind
from core.journeys.runs.program import compile_program, load_program

FROM_THE_FIRST = ""
"""The cursor of an enrolment that has not begun."""


async def begin(
    caller: Caller, journey: Journey, new: NewJourney, *, include_present: bool, at: datetime
) -> None:
    """Let a locked draft run, in the transaction of its activation."""
    journey.program = compile_program(journey.steps, journey.entry_step_id)
    journey.status, journey.activated_at, journey.updated_at = JourneyStatus.ACTIVE, at, at
    journey.enrol_present = include_present
    journey.enrol_cursor = FROM_THE_FIRST if include_present else None
    await journey.save(update_fields=COLUMNS)
    await _watch(journey, at=at)
    values = (journey.lineage_id, journey.id, at)
    for row in await db.fetch(REPLACE, caller.organization_id, caller.env, *values):
        await watch_for_nobody(caller, row["id"])
    if new.trigger.segment_id is not None:
        await compare_at_once(caller, new.trigger.segment_id, at=at)
    if include_present and takes_those_present(new.trigger):
        await jobs.wake(jobs.Job.ENTER_JOURNEYS)


async def _watch(journey: Journey, *, at: datetime) -> None:
    """Let changes of what the version is interested in be noted."""
    trigger = journey.trigger
    watched = {
        (kind, trigger[name])
        for kind, name in ((WatchKind.SEGMENT, "segmentId"), (WatchKind.LIST, "listId"))
        if name in trigger
    }
    program = await load_program(journey.id)
    watched |= {(WatchKind.EVENT, name) for name in program.events()}
    ordered = sorted(watched)
    await db.execute(
        WATCH,
        journey.organization_id,
        journey.env,
        journey.id,
        [kind for kind, _ in ordered],
        [ref for _, ref in ordered],
        at,
    )


async def watch_for_nobody(caller: Caller, journey_id: str) -> None:
    """Segments and lists are noted no more for a version that nobody enters; events that end or
    wake its runs are.
    """
    watched = JourneyWatch.visible_to(caller).filter(version_id=journey_id)
    await watched.filter(kind__in=[WatchKind.SEGMENT.value, WatchKind.LIST.value]).delete()


async def unwatch(caller: Caller, journey_id: str) -> None:
    """Nothing is noted for a version any more that nobody is inside of."""
    await JourneyWatch.visible_to(caller).filter(version_id=journey_id).delete()


COLUMNS = (
    "program",
    "status",
    "activated_at",
    "updated_at",
    "enrol_present",
    "enrol_cursor",
    "quote_id",
)

WATCH = """
INSERT INTO journey_watches (organization_id, env, version_id, kind, ref, created_at)
SELECT $1, $2, $3, w.kind, w.ref, $6 FROM unnest($4::text[], $5::text[]) AS w (kind, ref)
ON CONFLICT (version_id, kind, ref) DO NOTHING
"""

# Those inside the version before finish their way in it.
REPLACE = """
UPDATE journeys SET replaced_by_id = $4, entries_ended = true, enrol_cursor = NULL, updated_at = $5
WHERE organization_id = $1 AND env = $2 AND lineage_id = $3 AND id <> $4 AND status IN ('ativa', 'pausada')
  AND replaced_by_id IS NULL
RETURNING id
"""
