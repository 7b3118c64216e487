"""What the clock does for partitioned tables, hour by hour."""

from datetime import datetime

import asyncpg
import structlog

from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.transactions import statements_within
from core.foundation.files import StoreAway
from core.foundation.settings import current
from core.partitions.add_months import add_months
from core.partitions.enable import take_back_stale
from core.partitions.finish import finish_detached
from core.partitions.layout import partitioned_tables
from core.partitions.parquet import MissingLibrary, require
from core.partitions.retention import detach_old_months

log = structlog.get_logger()

ANALYZE_HOUR = 4
"""In UTC: autovacuum looks after partitions and never after the whole, whose figures the planner
reads too.
"""


async def keep_in_order(*, at: datetime) -> None:
    """Add months, take months out, bring those to their end. What is in the way is told, and tried
    in an hour again.
    """
    try:
        await take_back_stale(at=at)
        await add_months(at=at)
        if current().retention_export != "off":
            require()
        await detach_old_months(at=at)
        await finish_detached(at=at)
    except asyncpg.LockNotAvailableError:
        log.warning(
            "partitions_wait", reason="somebody holds a table; a long transaction, or a backup"
        )
    except (StoreAway, MissingLibrary) as error:
        log.warning("partitions_wait", reason=str(error) or type(error).__name__)
    if at.hour == ANALYZE_HOUR:
        for table in await partitioned_tables():
            async with statements_within(LONG_SECONDS):
                await db.execute(f"ANALYZE {table.name}")
