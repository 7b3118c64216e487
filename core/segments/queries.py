"""Reading segments."""

from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.segments.conditions import narrow_segments
from core.segments.inputs import SegmentFilter
from core.segments.record import SEGMENT, SegmentPage, SegmentRecord
from core.segments.uses import in_use


async def get_segment(caller: Caller, id: str) -> SegmentRecord:
    """One segment of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CONTACTS_READ)
    found = existing(await _row(caller, well_formed_id("seg", id)))
    return SEGMENT.make_for(caller, found)


async def _row(caller: Caller, id: str) -> HasColumns | None:
    return await db.fetchrow(
        f"{_select()} WHERE s.organization_id = $1 AND s.env = $2 AND s.id = $3",
        caller.organization_id,
        caller.env,
        id,
    )


async def list_segments(caller: Caller, filter: SegmentFilter) -> WrittenPage[SegmentPage]:
    """A page of segments, newest first."""
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_segments(where, q=filter.q)
    return await newest_records(caller, SEGMENT, "segments", where, filter, select=_select())


def _select() -> str:
    return f"SELECT s.*, {in_use('s')} AS in_use FROM segments s"
