"""What the clock does for partitioned tables, some months from now, in the database of `DATABASE_URL`: run as a script,
it prints what came of it as JSON.
"""

import asyncio
import json
import sys
from datetime import date

from core import cells, partitions
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.bounded_pool import COMMAND
from core.messaging.hours import close_hours
from core.partitions.enable import first_month
from core.partitions.months import months_later, start_of

MONTHS = 5
"""Behind the first one: so much later all of what a month is kept for is over."""

OF_THE_FIRST_MONTH = (
    "UPDATE messages SET created_at = $1 WHERE id IN (SELECT min(id) FROM messages)"
)
EXPORTED = "SELECT sum(row_count)::int FROM detached_partitions WHERE table_name = 'messages' AND files > 0"
NO_WEBHOOKS = "DELETE FROM {table}"
COUNTED = "INSERT INTO closed_hours (id, closed_until) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET closed_until = $1"


async def go_on(first: date) -> dict[str, object]:
    """Let one message be of the first month, and do then what the clock does."""
    at = start_of(months_later(first, MONTHS))
    moved = await db.execute(OF_THE_FIRST_MONTH, start_of(first))
    await close_hours()
    for table in ("webhook_attempts", "webhook_deliveries", "webhook_events"):
        await db.execute(NO_WEBHOOKS.format(table=table))
    await db.execute(COUNTED, at)
    added = await partitions.add_months(at=at)
    detached = await partitions.detach_old_months(at=at)
    dropped = await partitions.finish_detached(at=at)
    return {
        "moved": moved,
        "added": sorted(added),
        "detached": sorted(detached),
        "dropped": sorted(dropped),
        "exported": await db.fetchval(EXPORTED),
        "ahead": {
            table["table"]: table["monthsAhead"]
            for table in (await partitions.partition_status(at=at))["tables"]
        },
    }


async def main() -> None:
    """Do it."""
    await db.open_database(settings.load(), bounds=COMMAND)
    await cells.learn_cells()
    try:
        json.dump(await go_on(first_month(at=now())), sys.stdout)
    finally:
        await db.close_database()


if __name__ == "__main__":
    asyncio.run(main())
