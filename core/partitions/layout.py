"""How the tables are laid out now: which are partitioned, and into what."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core.foundation.database import db
from core.foundation.database.address import Connection
from core.foundation.database.rows import column
from core.partitions.months import month_of
from core.partitions.tables import TABLES, PartitionedTable


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of a table. `since` is None in the earliest, both bounds in the default one. `rows` is
    an estimate.
    """

    table: str
    name: str
    since: date | None
    until: date | None
    rows: int
    size: int

    @property
    def is_default(self) -> bool:
        return self.until is None


async def partitioned_tables() -> list[PartitionedTable]:
    """The tables that are partitioned in the open database."""
    rows = await db.fetch(PARTITIONED, [table.name for table in TABLES])
    names = set(column(rows, "name"))
    return [table for table in TABLES if table.name in names]


async def detached_months(connection: Connection) -> set[str]:
    """The months that have left their tables, by the names that they have as tables of their own."""
    return set(column(await connection.fetch("SELECT name FROM detached_partitions"), "name"))


async def partitions_of(tables: Sequence[PartitionedTable]) -> list[Partition]:
    """Their partitions, table by table, in order of time; the default one last."""
    rows = await db.fetch(PARTITIONS, [table.name for table in tables])
    measured = await _measured(column(rows, "name"))
    found = [
        Partition(
            row["table_"], row["name"], *_bounds(row["bound"]), *measured.get(row["name"], (0, 0))
        )
        for row in rows
    ]
    return sorted(found, key=lambda part: (part.table, part.is_default, part.until or date.max))


async def _measured(names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Rows (an estimate) and bytes of each of these tables."""
    places = dict(zip(names, names, strict=True))
    if db.is_distributed():  # a machine holds the rows, in tables with names of their own
        shards = await db.fetch(SHARDS, names)
        places = {row["shard"]: row["name"] for row in shards}
    rows = await db.fetch(MEASURED, list(places))
    return {places[row["name"]]: (row["rows_"], row["size"]) for row in rows}


async def bytes_of(name: str) -> int:
    """The bytes of a table with its indexes."""
    sql = SIZE_ON_CITUS if db.is_distributed() else SIZE
    size: int = await db.fetchval(sql, name)
    return size


async def pages_of(name: str) -> int:
    """The pages of a table itself; 0 where there is none."""
    sql = PAGES_ON_CITUS if db.is_distributed() else PAGES
    pages: int = await db.fetchval(sql, name)
    return pages


# `FOR VALUES FROM (MINVALUE) TO ('2027-01-01 00:00:00+00')`
BOUND = re.compile(r"FOR VALUES FROM \((?:MINVALUE|'([^']+)')\) TO \('([^']+)'\)")


def _bounds(text: str) -> tuple[date | None, date | None]:
    found = BOUND.fullmatch(text)
    if found is None:  # DEFAULT
        return None, None
    since, until = found.groups()
    return (None if since is None else _month(since)), _month(until)


def _month(text: str) -> date:
    return month_of(datetime.fromisoformat(text))


PARTITIONED = """
SELECT relname AS name FROM pg_class
WHERE relkind = 'p' AND relnamespace = current_schema()::text::regnamespace AND relname = ANY ($1::text[])
"""

PARTITIONS = """
SELECT t.relname AS table_, p.relname AS name, pg_get_expr(p.relpartbound, p.oid) AS bound
FROM pg_class t JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class p ON p.oid = i.inhrelid
WHERE t.relkind = 'p' AND t.relnamespace = current_schema()::text::regnamespace AND t.relname = ANY ($1::text[])
"""

# On Citus the names are those of shards, and it is asked on their machine.
MEASURED = """/* whole */
SELECT given.name, greatest(c.reltuples, 0)::bigint AS rows_, pg_total_relation_size(c.oid) AS size
FROM unnest($1::text[]) AS given (name) JOIN pg_class c ON c.oid = to_regclass(given.name)
"""

SHARDS = """
SELECT c.relname AS name, shard_name(c.oid, s.shardid) AS shard
FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relname = ANY ($1::text[])
"""

SIZE = "SELECT pg_total_relation_size(to_regclass($1))"
SIZE_ON_CITUS = "SELECT citus_total_relation_size(to_regclass($1))"

PAGES = (
    "SELECT coalesce(pg_relation_size(to_regclass($1)), 0) / current_setting('block_size')::bigint"
)
PAGES_ON_CITUS = "SELECT coalesce(citus_relation_size(to_regclass($1)), 0) / current_setting('block_size')::bigint"
