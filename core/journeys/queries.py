"""Use cases: read one journey, and pages of them."""

from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.pages import UnreadableCursor, read_cursor
from core.foundation.database.where import Where
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage, read_rows
from core.foundation.security.caller import Caller, Scope
from core.journeys.conditions import narrow_journeys
from core.journeys.errors import MAX_JOURNEYS
from core.journeys.figures import RUN_COUNTS, STEP_COUNTS, STEP_TIMES
from core.journeys.inputs import JourneyFilter
from core.journeys.outline import OUTLINE
from core.journeys.record import JOURNEY, JOURNEY_ITEM, JourneyPage, JourneyRecord

SELECT = """
SELECT j.id, j.name, j.status, j.trigger, j.reentry, j.reentry_hours, j.quiet, j.frequency_cap, j.goal, j.exit_when,
       {steps} AS steps, j.entry_step_id, j.paused_by, j.activated_at, j.version, j.version_of, j.replaced_by_id,
       j.entries_ended, j.created_at, j.updated_at,
       l.name AS list_name, l.size AS list_size, s.name AS segment_name, {counts}
FROM journeys j
LEFT JOIN contact_lists l ON (l.organization_id, l.env, l.id) = (j.organization_id, j.env, j.trigger->>'listId')
LEFT JOIN segments s ON (s.organization_id, s.env, s.id) = (j.organization_id, j.env, j.trigger->>'segmentId')
"""
RUNS = f"{RUN_COUNTS.format(t='j')} AS run_counts"
IN_OUTLINE = SELECT.format(steps=OUTLINE.format(t="j"), counts=RUNS)
FIGURES = f"{STEP_COUNTS.format(t='j')} AS step_counts, {STEP_TIMES.format(t='j')} AS step_times"
WHOLE = SELECT.format(steps="j.steps", counts=f"{RUNS}, {FIGURES}")


async def list_journeys(caller: Caller, filter: JourneyFilter) -> WrittenPage[JourneyPage]:
    """The journeys without their graphs, newest first.

    A page holds as many as may be in use at once: only of archived ones there are more. A cursor
    that cannot be read gives an empty page.
    """
    caller.require(Scope.CAMPAIGNS_READ)
    where = Where.visible_to(caller, alias="j")
    narrow_journeys(where, status=filter.status, alias="j")
    if filter.cursor is not None:
        try:
            where.narrow("(j.created_at, j.id) < ({}, {})", *read_cursor(filter.cursor))
        except UnreadableCursor:
            return WrittenPage([], None, warnings=["cursor_invalido"])
    read = await read_rows(
        caller,
        JOURNEY_ITEM,
        f"{IN_OUTLINE} WHERE {where} ORDER BY j.created_at DESC, j.id DESC LIMIT "
        f"{MAX_JOURNEYS + 1}",
        where.values,
        order="created_at DESC, id DESC",
        place=("created_at", "id"),
        limit=MAX_JOURNEYS,
        keeps_plan=filter.is_plain,
    )
    return WrittenPage(read.items, None, read.next_cursor)


async def get_journey(caller: Caller, id: str) -> JourneyRecord:
    """One journey with its graph of steps. Raises NotFound."""
    caller.require(Scope.CAMPAIGNS_READ)
    return await journey_record(caller, id)


async def journey_record(caller: Caller, id: str) -> JourneyRecord:
    """The same, also for whoever may only write. Raises NotFound."""
    row = existing(await _row(caller, well_formed_id("jor", id)))
    return JOURNEY.make_for(caller, row)


async def _row(caller: Caller, id: str) -> db.Row | None:
    return await db.fetchrow(
        f"{WHOLE} WHERE j.organization_id = $1 AND j.env = $2 AND j.id = $3",
        caller.organization_id,
        caller.env,
        id,
    )
