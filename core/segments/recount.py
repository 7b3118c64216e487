"""Keeping the sizes of segments fresh."""

from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.segments.evaluate import size_of
from core.segments.inputs import node_of

STALE_AFTER = timedelta(hours=1)
BATCH_SIZE = 20


async def recount_stale(*, at: datetime) -> int:
    """Count the segments whose size is oldest; answers how many were looked at.

    Workers that meet on a segment only count it twice. One that takes too long keeps its size and
    is tried again after an hour.
    """
    rows = await db.fetch(
        "SELECT * FROM segments WHERE coalesce(size_at, created_at) < $1 ORDER BY "
        "coalesce(size_at, created_at) "
        f"LIMIT {BATCH_SIZE}",
        at - STALE_AFTER,
    )
    for row in rows:
        caller = system_caller(row["organization_id"], row["env"])
        size = await size_of(caller, node_of(row["filters"], row["filter_tree"]), at=at)
        await db.execute(
            "UPDATE segments SET size = coalesce($2, size), size_at = $3 WHERE id = $1",
            row["id"],
            size,
            at,
        )
    return len(rows)
