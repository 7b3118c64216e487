"""What a table's switch to months takes besides, where Citus has placed the schema.

There its rows lie in a table of a machine, its shard, and functions name that one
(`core.foundation.database.on_node`). The whole that stands in for the table gets another shard.
"""

from collections.abc import Iterable, Iterator

from core.foundation.database.migration_steps import Step, Transaction
from core.foundation.database.on_node import HOLD_CALLS, PREFIX
from core.partitions.tables import PartitionedTable


def switched_on_machine(table: PartitionedTable, statements: Iterable[str]) -> Iterator[str]:
    """The statements of a switch, and what lets functions go on with the shard of the whole. Whoever
    calls one of them waits meanwhile: each call writes to the table that is locked here.
    """
    yield "SET LOCAL citus.propagate_set_commands = 'local'"  # bounds of waiting, for the machines too
    yield "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"
    yield HOLD_CALLS
    yield from statements
    yield FOLLOW.format(whole=table.name, earlier=table.earlier, prefix=PREFIX)


def sequence_follows(table: PartitionedTable) -> Step:
    """Let the sequence of the ids be that of the whole: with the rows from before it would go, too.

    Citus refuses ALTER SEQUENCE … OWNED BY; this is its own way. Doing it twice does no harm.
    """
    return Transaction(
        table.name, (SEQUENCE_FOLLOWS.format(whole=table.name, earlier=table.earlier),)
    )


FOLLOW = r"""
DO $follow$
DECLARE
    before text := (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = '{earlier}'::regclass);
    whole text := (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = '{whole}'::regclass);
    made record;
BEGIN
    FOR made IN
        SELECT pg_get_functiondef(p.oid) AS text FROM pg_proc p
        WHERE p.pronamespace = current_schema()::text::regnamespace AND starts_with(p.proname, '{prefix}')
          AND p.prosrc ~ ('\m{whole}_' || before || '\M')
    LOOP
        EXECUTE regexp_replace(made.text, '\m{whole}_' || before || '\M', '{whole}_' || whole, 'g');
    END LOOP;
END $follow$
"""

SEQUENCE_FOLLOWS = """
DO $everywhere$
DECLARE
    here text := format($one$
        DO $follow$
        DECLARE sequence text := pg_get_serial_sequence('%1$s.{earlier}', 'id');
        BEGIN
            IF sequence IS NOT NULL THEN
                PERFORM worker_change_sequence_dependency(sequence, '%1$s.{earlier}', '%1$s.{whole}');
            END IF;
        END $follow$ $one$, quote_ident(current_schema()));
    machine record;
BEGIN
    EXECUTE here;
    FOR machine IN SELECT * FROM run_command_on_workers(here) LOOP
        IF NOT machine.success THEN
            RAISE EXCEPTION '%:%: %', machine.nodename, machine.nodeport, machine.result;
        END IF;
    END LOOP;
END $everywhere$
"""
