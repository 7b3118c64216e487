"""Reading segments."""

from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.segments.conditions import narrow_segments
from core.segments.inputs import SegmentFilter
from core.segments.record import SEGMENT, UNUSED, SegmentPage, SegmentRecord, SegmentUse

USES_SEGMENT = """(
    {j}.trigger->>'segmentId' = {id}
    OR jsonb_path_exists({j}.steps, '$.**?(@.field == "segment" && @.value == $id)', jsonb_build_object('id', {id})))"""
"""Whether a journey (`{j}`) begins with a segment (`{id}`), or asks for it on the way."""

WAITS = "{d}.due_at IS NOT NULL"
"""Whether a push dispatch (`{d}`) has not begun: only then does its segment still matter."""

IN_USE = f"""jsonb_build_object(
    'journeys', (
        SELECT count(*) FROM journeys j
        WHERE j.organization_id = {{t}}.organization_id AND j.env = {{t}}.env AND j.status <> 'arquivada'
          AND {USES_SEGMENT.format(j="j", id="{t}.id")}),
    'dispatches', (
        SELECT count(*) FROM push_dispatches d
        WHERE d.organization_id = {{t}}.organization_id AND d.env = {{t}}.env AND d.segment = {{t}}.id
          AND {WAITS.format(d="d")}))"""
"""How many journeys that are not archived, and pushes that wait, use a segment (`{t}`)."""

SELECT = f"SELECT s.*, {IN_USE.format(t='s')} AS in_use FROM segments s"


async def get_segment(caller: Caller, id: str) -> SegmentRecord:
    """One segment of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CONTACTS_READ)
    found = await _row(caller, id) if is_id("seg", id) else None
    if found is None:
        raise NotFound
    return SEGMENT.make_for(caller, found)


async def uses_of(caller: Caller, id: str) -> SegmentUse:
    """How many journeys and dispatches use a segment of the caller."""
    found = await _row(caller, id)
    if found is None:
        return UNUSED
    in_use: SegmentUse = found["in_use"]
    return in_use


async def _row(caller: Caller, id: str) -> db.Row | None:
    return await db.fetchrow(
        f"{SELECT} WHERE s.organization_id = $1 AND s.env = $2 AND s.id = $3",
        caller.organization_id,
        caller.env,
        id,
    )


async def list_segments(caller: Caller, filter: SegmentFilter) -> WrittenPage[SegmentPage]:
    """A page of segments, newest first."""
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_segments(where, q=filter.q)
    return await newest_records(caller, SEGMENT, "segments", where, filter, select=SELECT)
