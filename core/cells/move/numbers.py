"""Numbers that sequences give, unique among all cells: each cell draws from a block of its own.

So rows keep their numbers when they move, and cursors and sums that name one stay right. Whoever
enters a cell finds it in a newer block than all others: what it writes there comes after what it
brought.
"""

from core.cells.move.tables import MovedTable
from core.foundation.database.address import Connection

BLOCK_BITS = 42
"""4.4e12 numbers: 28 years of 5,000 rows a second in one table. There are two million blocks."""


async def begin_block(connection: Connection, tables: list[MovedTable], number: int) -> None:
    """Let the sequences of all tables that are moved go on in a block, which is newer than any that was
    given.
    """
    await connection.execute(BEGIN, number << BLOCK_BITS, [table.name for table in tables])


# A number that somebody draws at the same moment is of the block before, and as unique.
BEGIN = """
SELECT setval(s.oid::regclass, $1::bigint)
FROM pg_class t
JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid AND d.classid = 'pg_class'::regclass
JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY ($2::text[])
  AND coalesce(pg_sequence_last_value(s.oid), 0) < $1::bigint
"""
