"""Keeping the sizes of segments fresh."""

from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.moved_clocks import narrowed
from core.foundation.security.caller import system_caller
from core.segments.evaluate import size_of
from core.segments.inputs import node_of
from core.segments.models import Segment

STALE_AFTER = timedelta(hours=1)
BATCH_SIZE = 20


async def recount_stale(*, at: datetime) -> int:
    """Count the segments whose size is oldest; answers how many were looked at.

    Workers that meet on a segment only count it twice. One that takes too long keeps its size and
    is tried again after an hour.
    """
    rows = await db.fetch(*narrowed(STALE, at - STALE_AFTER))
    for row in rows:
        caller = system_caller(row["organization_id"], row["env"])
        size = await size_of(caller, node_of(row["filters"], row["filter_tree"]), at=at)
        own = Segment.visible_to(caller).filter(id=row["id"])
        await (own.update(size_at=at) if size is None else own.update(size=size, size_at=at))
    return len(rows)


STALE = f"""
SELECT * FROM segments WHERE coalesce(size_at, created_at) < $1 /* whose */
ORDER BY coalesce(size_at, created_at) LIMIT {BATCH_SIZE}
"""

NEXT_COUNT = """
SELECT min(coalesce(size_at, created_at)) + interval '1 day' FROM segments
WHERE organization_id = $1 AND env = 'test'
"""
"""When a segment of a sandbox is counted next, under a clock that is moved: once a day of its time."""
