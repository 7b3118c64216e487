"""Fetching the files of received messages, before the platform deletes them."""

import asyncio
from datetime import datetime, timedelta

import structlog

from core import media, messaging
from core.foundation.database.availability import is_outage
from core.foundation.database.leases import LEASE

log = structlog.get_logger()

BATCH_SIZE = 16
MIN_BACKOFF = timedelta(seconds=30)
FETCH_TIMEOUT = timedelta(hours=24)
MAX_CONCURRENT_FETCHES = 4
"""Files of a worker that are under way together."""
NOT_FETCHED = "The file could not be fetched within 24 hours."
"""`lastError` of a received message whose file was given up."""


async def fetch_received(*, at: datetime) -> int:
    """Fetch the files that are due, outside any transaction. Answers how many it took.

    `settle_at` of a received message tells when to look for its file: each failure waits as long as
    the message is old, and after 24 hours nobody looks any more: `lastError` says so.
    """
    rows = await messaging.claim_due_files(at=at, until=at + LEASE, limit=BATCH_SIZE)
    slots = asyncio.Semaphore(MAX_CONCURRENT_FETCHES)

    async def fetch(row: messaging.DueFile) -> None:
        async with slots:
            again, error = None, None
            try:
                await media.store_inbound(row["id"])
            except Exception as failure:
                if is_outage(failure):
                    raise
                log.warning("file_not_fetched", message=row["id"], error=type(failure).__name__)
                again = _next_try(row, at=at)
                error = NOT_FETCHED if again is None else None
            await messaging.settle_file(row["id"], again, error, at=at)

    async with messaging.leased(rows).kept():
        await asyncio.gather(*(fetch(row) for row in rows))
    return len(rows)


def _next_try(row: messaging.DueFile, *, at: datetime) -> datetime | None:
    age = at - row["created_at"]
    return at + max(MIN_BACKOFF, age) if age < FETCH_TIMEOUT else None
