"""Adding the partitions of months to come."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime

import asyncpg
import structlog

from core.foundation.database import db
from core.partitions.layout import Partition, partitioned_tables, partitions_of
from core.partitions.locks import brief_locks
from core.partitions.months import bound, month_of, months_later, partition_name
from core.partitions.tables import PartitionedTable

log = structlog.get_logger()

MONTHS_AHEAD = 3
"""Months behind the current one that have their partition: a worker may be away for as long."""


async def add_months(*, at: datetime) -> list[str]:
    """Add what is missing of the current month and those ahead, in every partitioned table. Answers
    their names.

    Rows of such a month that were stored as unplanned meanwhile move into it. Raises
    LockNotAvailableError where somebody holds a table; call it again. Every month is a transaction
    of its own.
    """
    tables = await partitioned_tables()
    parts = await partitions_of(tables)
    added = []
    for table in tables:
        for month in missing_months([part for part in parts if part.table == table.name], at=at):
            with suppress(asyncpg.DuplicateTableError):  # another process was faster
                await _add(table, month)
                added.append(partition_name(table.name, month))
    if added:
        log.info("months_added", partitions=added)
    return added


def missing_months(parts: list[Partition], *, at: datetime) -> Iterator[date]:
    """The months that lack a partition, from the current one to those ahead."""
    planned = [(part.since or date.min, part.until) for part in parts if part.until is not None]
    for later in range(MONTHS_AHEAD + 1):
        month = months_later(month_of(at), later)
        if not any(since <= month < until for since, until in planned):
            yield month


async def _add(table: PartitionedTable, month: date) -> None:
    name, after = partition_name(table.name, month), months_later(month, 1)
    inside = f"{table.column} >= {bound(month)} AND {table.column} < {bound(after)}"
    async with brief_locks():
        options = await db.fetchval(STORAGE, table.name)
        # The default partition is looked through by PostgreSQL, under a lock: it is empty, or
        # should be.
        await db.execute(f"LOCK TABLE {table.unplanned} IN ACCESS EXCLUSIVE MODE")
        await db.execute(f"CREATE TABLE {name} (LIKE {table.name} INCLUDING ALL){options or ''}")
        # Triggers belong to the whole, so nobody counts the rows twice that move here.
        if await db.execute(f"INSERT INTO {name} SELECT * FROM {table.unplanned} WHERE {inside}"):
            await db.execute(f"DELETE FROM {table.unplanned} WHERE {inside}")
        await db.execute(
            f"ALTER TABLE {table.name} ATTACH PARTITION {name} FOR VALUES FROM ({bound(month)}) TO ({bound(after)})"
        )


# A partitioned table has no storage parameters; its newest partition has those that the table had.
STORAGE = """
SELECT ' WITH (' || array_to_string(p.reloptions, ', ') || ')'
FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
WHERE i.inhparent = to_regclass($1) AND p.reloptions IS NOT NULL ORDER BY p.oid DESC LIMIT 1
"""
