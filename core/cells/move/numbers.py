"""Numbers that sequences give, unique among all cells: each cell draws from a block of its own.

So rows keep their numbers when they move, and cursors and sums that name one stay right. Whoever
enters a cell finds it in a newer block than all others: what it writes there comes after what it
brought.

On Citus most numbers are the coordinator's, as elsewhere. Only what is written on the machine without
one, by a trigger for instance, is numbered there (`svc_number`): in the upper half of the block, of which each
machine has a part.
"""

from core.cells.move.tables import MovedTable
from core.foundation.database import on_node
from core.foundation.database.address import Connection

BLOCK_BITS = 42
"""4.4e12 numbers: 28 years of 5,000 rows a second in one table. There are two million blocks."""

MACHINE_BITS = 37
"""1.4e11 numbers for each of sixteen machines: a table that gets 1,000 rows a second there has them for
four years.
"""


async def begin_block(connection: Connection, tables: list[MovedTable], number: int) -> None:
    """Let the sequences of all tables that are moved go on in a block, which is newer than any that
    was given. `connection`: where the tables are changed.
    """
    await connection.execute(BEGIN, number << BLOCK_BITS, [table.name for table in tables])
    if await on_node.is_distributed(connection):
        await number_on_machines(connection)


async def number_on_machines(connection: Connection) -> None:
    """Let machines of Citus number rows within the block that the cell is in."""
    begins = await connection.fetchval(BLOCK) << BLOCK_BITS
    await connection.execute(NUMBER.format(begins=begins + (1 << BLOCK_BITS - 1)))


# A number that somebody draws at the same moment is of the block before, and as unique.
BEGIN = """
SELECT setval(s.oid::regclass, $1::bigint)
FROM pg_class t
JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid AND d.classid = 'pg_class'::regclass
JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY ($2::text[])
  AND coalesce(pg_sequence_last_value(s.oid), 0) < $1::bigint
"""

BLOCK = f"""
SELECT coalesce(max(CASE WHEN s.relkind = 'S' THEN pg_sequence_last_value(s.oid) END), 0) >> {BLOCK_BITS}
FROM pg_class s WHERE s.relnamespace = current_schema()::text::regnamespace
"""

# A table's shard has no default from a sequence: whoever writes there directly (core.foundation.database.on_node)
# has the number from here. Citus lets the sequences of a machine begin at its own number times 2^48; in two cells
# they would give the same ones. The coordinator is the machine 0, and draws from its own half then.
NUMBER = f"""
CREATE OR REPLACE FUNCTION svc_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    number bigint := nextval(TG_ARGV[0]::regclass);
    machine bigint := (SELECT seqmin >> 48 FROM pg_sequence WHERE seqrelid = TG_ARGV[0]::regclass);
BEGIN
    NEW.id := CASE machine WHEN 0 THEN number + (1::bigint << {BLOCK_BITS - 1})
                           ELSE {{begins}} + ((machine & 15) << {MACHINE_BITS}) + number - (machine << 48) END;
    RETURN NEW;
END $$
"""
