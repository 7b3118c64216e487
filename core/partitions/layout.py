"""How the tables are laid out now: which are partitioned, and into what."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core.foundation.database import db
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


async def partitions_of(tables: Sequence[PartitionedTable]) -> list[Partition]:
    """Their partitions, table by table, in order of time; the default one last."""
    rows = await db.fetch(PARTITIONS, [table.name for table in tables])
    found = [
        Partition(
            row["table_"], row["name"], *_bounds(row["bound"]), rows=row["rows_"], size=row["size"]
        )
        for row in rows
    ]
    return sorted(found, key=lambda part: (part.table, part.is_default, part.until or date.max))


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
SELECT t.relname AS table_, p.relname AS name, pg_get_expr(p.relpartbound, p.oid) AS bound,
       greatest(p.reltuples, 0)::bigint AS rows_, pg_total_relation_size(p.oid) AS size
FROM pg_class t JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class p ON p.oid = i.inhrelid
WHERE t.relkind = 'p' AND t.relnamespace = current_schema()::text::regnamespace AND t.relname = ANY ($1::text[])
"""
