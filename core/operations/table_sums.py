"""Checksums of every table: proof that a restored database is the one that was saved."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import asyncpg

# How values are written as text must not depend on the server, the database or the user.
WRITTEN_ALIKE = """
    SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'iso_8601';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0
"""

TABLES = """
    SELECT relname::text FROM pg_class
    WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
                        AND deptype = 'e')
    ORDER BY 1
"""
"""Those that hold rows: partitions and not what they are parts of, and none of an extension's."""

SUMS = """
    SELECT count(*) AS rows,
           coalesce(sum(('x' || encode(substring(sha256(convert_to(whole_row::text, 'UTF8')) FOR 8), 'hex'))
                        ::bit(64)::bigint), 0)::text AS checksum
    FROM {} AS whole_row
"""
"""A sum does not depend on the order of rows, which a restore may change."""


@dataclass(frozen=True, slots=True)
class TableSums:
    """One table: how many rows it has, and the sum of their hashes."""

    table: str
    rows: int
    checksum: str


async def table_names(connection: "asyncpg.Connection[Any]") -> list[str]:
    """The tables of the service in this database."""
    return [name for (name,) in await connection.fetch(TABLES)]


async def sums_of_tables(connection: "asyncpg.Connection[Any]") -> AsyncIterator[TableSums]:
    """Of each table, one after the other; inside a transaction, whose moment they tell of."""
    await connection.execute(WRITTEN_ALIKE)
    for table in await table_names(connection):
        quoted = '"' + table.replace('"', '""') + '"'
        row = await connection.fetchrow(SUMS.format(quoted))
        assert row is not None
        yield TableSums(table, row["rows"], row["checksum"])
