"""The tables whose rows go along with an organization, read from the catalogue of its cell.

Whatever table has a column `organization_id` is moved, and `organizations` itself; besides those
whose rows belong to somebody through another table. All others are named, with the reason why they
stay.
"""

from typing import Any

from core import journeys, partitions
from core.cells.move.errors import UnlikeTables
from core.cells.move.sides import names_of_shards
from core.cells.move.tables import Column, MovedTable
from core.foundation.database.address import Connection

OWN_ID = {"organizations": "id"}
"""Tables whose rows are organizations: the column that says which."""

THROUGH = {"journey_trail": journeys.OWN_TRAIL}
"""Tables without the column, and whose their rows are."""

STAYS = {
    "cells": "the directory: of the installation, and not of one cell",
    "organization_cells": "the directory",
    "directory_entries": "the directory; a move writes its own entries",
    "organization_moves": "what is known of moves, in one place for all cells",
    "organization_gates": "who may be written to in this cell",
    "closed_hours": "how far the cell has counted; a move waits until both have come as far",
    "detached_partitions": "months that left their tables, and are not divided by organization",
    "failed_log_ins": "of an address, before anybody is recognised",
    "migration_steps": "how far the schema is",
    "tortoise_migrations": "how far the schema is",
    "provider_cursors": "how far a provider's own log was read, for everybody in the cell",
    "smpp_link_messages": "of the link to operators, in the home alone",
    "smpp_link_parts": "of the link to operators, in the home alone",
    "smpp_link_reports": "of the link to operators, in the home alone",
}
"""Tables that no organization takes along, and why."""

SENT_AS = {
    # Numbers of transactions mean nothing on another server: what waits there was written before all else.
    ("audience_changes", "xid"): "1::bigint",
}
"""Columns that arrive as something else."""


async def moved_tables(connection: Connection) -> list[MovedTable]:
    """The tables of a cell whose rows go along, by name.

    Raises UnlikeTables for a table of which nobody has said whose its rows are.
    """
    rows = await connection.fetch(TABLES)
    # A month that was detached is no table of the service any more: asked behind, as one may leave meanwhile.
    gone = await partitions.detached_months(connection)
    stay = STAYS.keys() | names_of_shards(connection) | gone
    found = [_moved(row) for row in rows if row["name"] not in stay]
    if strangers := sorted(table.name for table in found if not table.owner):
        raise UnlikeTables(f"whose rows are those of {', '.join(strangers)}?")
    return found


def must_be_alike(leaving: list[MovedTable], arriving: list[MovedTable]) -> None:
    """Raises UnlikeTables where the other cell lacks a table or a column."""
    there = {table.name: set(table.names) for table in arriving}
    lacking = [
        name if name not in there else f"{name}.{column}"
        for name, columns in ((table.name, table.names) for table in leaving)
        for column in columns
        if column not in there.get(name, ())
    ]
    if lacking:
        raise UnlikeTables(
            "the other cell lacks " + ", ".join(sorted(set(lacking))) + "; migrate it first"
        )


def _moved(row: Any) -> MovedTable:
    name = row["name"]
    columns = tuple(
        Column(column, type, SENT_AS.get((name, column)))
        for column, type in zip(row["columns"], row["types"], strict=True)
    )
    by_name = {column.name: column for column in columns}
    key = tuple(by_name[one] for one in row["key"])
    if name in THROUGH:
        return MovedTable(name, columns, key, THROUGH[name], None)
    own = OWN_ID.get(name, "organization_id")
    return MovedTable(name, columns, key, f"{own} = $1" if own in by_name else "", own)


# A partition comes with its whole.
TABLES = """
SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
       array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types,
       (SELECT array_agg(k.attname::text ORDER BY u.place)
        FROM pg_index x CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS u (number, place)
        JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = u.number
        WHERE x.indrelid = c.oid AND x.indisprimary) AS key
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
GROUP BY c.oid, c.relname
ORDER BY c.relname
"""
