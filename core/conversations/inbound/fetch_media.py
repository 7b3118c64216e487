"""Fetching the files of received messages, before the platform forgets them."""

import asyncio
from datetime import datetime, timedelta

import structlog

from core import media
from core.foundation import db
from core.foundation.outages import is_outage

log = structlog.get_logger()

BATCH = 16
LEASE = timedelta(minutes=15)
FIRST_PAUSE = timedelta(seconds=30)
GIVE_UP = timedelta(hours=24)
AT_ONCE = 4
"""Files of a worker that are under way together."""


async def fetch_received(*, at: datetime) -> int:
    """Fetch the files that are due, outside any transaction. Answers how many it took.

    `settle_at` of a received message tells when to look for its file: each failure waits as long as the message is
    old, and after 24 hours nobody looks any more.
    """
    rows = await db.fetch(LEASE_DUE, at, BATCH, at + LEASE)
    room = asyncio.Semaphore(AT_ONCE)

    async def fetch(row: db.Row) -> None:
        async with room:
            again = None
            try:
                await media.store_inbound(row["id"])
            except Exception as error:
                if is_outage(error):
                    raise
                log.warning("file_not_fetched", message=row["id"], error=type(error).__name__)
                age = at - row["created_at"]
                again = at + max(FIRST_PAUSE, age) if age < GIVE_UP else None
            await db.execute("UPDATE messages SET settle_at = $2 WHERE id = $1", row["id"], again)

    await asyncio.gather(*(fetch(row) for row in rows))
    return len(rows)


LEASE_DUE = """
UPDATE messages SET settle_at = $3
WHERE id = ANY (ARRAY(
    SELECT id FROM messages WHERE settle_at <= $1 AND direction = 'inbound'
    ORDER BY settle_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, created_at
"""
