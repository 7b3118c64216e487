"""What keeps the feed in order when the database was restored somewhere else.

Transactions are numbered by the server, from small numbers on a new one, and the feed is read in the order of these
numbers. So `webhook_feed_base` is added to each; it is raised when events are already ahead of the server.
"""

import structlog

from core.foundation import db
from core.foundation.transactions import transaction

log = structlog.get_logger()

LOCK = 0x737663_66656564
"""The advisory lock of the base: «svc feed»."""


async def keep_feed_in_order() -> None:
    """Raise the base if the newest event would come after those to be written. At the start of every process.

    A database that is yet to be migrated holds no events.
    """
    if await db.fetchval("SELECT to_regclass('webhook_feed_base')") is None:
        return
    async with transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        if raised := await db.fetchval(RAISE):
            log.warning("webhook_feed_base_raised", base=raised)


# A step of 2^40 leaves every place behind that was ever given out, also one that the copy does not know of.
RAISE = """
SELECT setval('webhook_feed_base', ((greatest(newest, base) >> 40) + 1) << 40)
FROM (
    SELECT (SELECT last_value FROM webhook_feed_base) AS base,
           pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
           (SELECT max(xact) FROM webhook_events) AS newest
) AS known
WHERE newest >= base + next
"""
