"""What there is to know about partitions: for an operator, and for `svc doctor`."""

from datetime import datetime
from typing import Any

from core.foundation.database import db
from core.partitions.add_months import MONTHS_AHEAD, missing_months
from core.partitions.layout import Partition, bytes_of, partitions_of
from core.partitions.months import month_of
from core.partitions.tables import TABLES, PartitionedTable


async def partition_status(*, at: datetime) -> dict[str, Any]:
    """`{tables: [{table, partitioned, monthsAhead, unplannedRows, bytes}], partitions, detached}`.

    `unplannedRows`: rows of months that nobody added, counted up to 1,000. `detached`: months on
    their way out.
    """
    parts = await partitions_of(TABLES)
    by_table = {
        table.name: [part for part in parts if part.table == table.name] for table in TABLES
    }
    return {
        "tables": [await _table(table, by_table[table.name], at=at) for table in TABLES],
        "partitions": [_partition(part) for part in parts],
        "detached": [
            {
                "partition": row["name"],
                "rows": row["row_count"],
                "files": row["files"],
                "detachedAt": row["detached_at"],
            }
            for row in await db.fetch(DETACHED)
        ],
    }


async def _table(
    table: PartitionedTable, parts: list[Partition], *, at: datetime
) -> dict[str, object]:
    if not parts:
        return {
            "table": table.name,
            "partitioned": False,
            "bytes": await bytes_of(table.name),
        }
    return {
        "table": table.name,
        "partitioned": True,
        "monthsAhead": MONTHS_AHEAD
        - sum(month > month_of(at) for month in missing_months(parts, at=at)),
        "unplannedRows": await db.fetchval(
            f"SELECT count(*) FROM (SELECT FROM {table.unplanned} LIMIT 1000) AS few"
        ),
        "bytes": sum(part.size for part in parts),
    }


def _partition(part: Partition) -> dict[str, object]:
    return {
        "partition": part.name,
        "since": part.since,
        "until": part.until,
        "rows": part.rows,
        "bytes": part.size,
    }


DETACHED = (
    "SELECT name, row_count, files, detached_at FROM detached_partitions WHERE "
    "dropped_at IS NULL ORDER BY until, name"
)
