"""The sweep that deletes expired uploads which no message uses."""

from datetime import datetime

from core.foundation import files as file_store
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import unless_moved

BATCH_SIZE = 200

# A file whose copy a message was made of meanwhile is NEVER_EXPIRES, and the second look under its lock
# passes it by.
EXPIRE = """
WITH expired AS (
    SELECT id, blob_key FROM media_files WHERE blob_key IS NOT NULL AND expires_at <= $1 /* unless moved */
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
UPDATE media_files f SET blob_key = NULL, platform_id = NULL FROM expired e WHERE f.id = e.id
RETURNING e.blob_key AS key, f.organization_id, f.env
"""


async def expire_files(*, at: datetime) -> int:
    """Remove our copies of files that are due, a batch; call it until it answers 0. Answers how
    many went.
    """
    async with transaction():
        rows = await db.fetch(*unless_moved(EXPIRE, at, BATCH_SIZE))
        await file_store.discard_many(
            [file_store.OrphanedFile(*row.values()) for row in rows], at=at
        )
    await file_store.remove_now(column(rows, "key"))
    return len(rows)
