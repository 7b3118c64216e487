"""The gate of an organization in a cell: triggers on all of its tables, for as long as it moves.

It stands in the database, so every write meets it, whoever makes it; and nobody else does, because
the triggers name the organization (`svc_organization_gate`, of migration 0047). In the cell that is
entered, what somebody does to its rows does not happen: they are not taken by workers, nor removed
by sweeps. In the cell that is left, writing them is refused while the gate is closed. A closed gate
opens by itself at its time, so that whoever moves an organization and dies holds up nobody for
longer than that.

Where Citus has placed a cell, the coordinator makes and drops the triggers, so that they go along
when it moves the cell; all the rest is done where the rows are.
"""

import asyncio
from datetime import timedelta

import asyncpg

from core.cells.move.errors import TableInUse
from core.cells.move.models import GateState
from core.cells.move.tables import MovedTable
from core.foundation.database import on_node
from core.foundation.database.address import Connection

LOCK_SECONDS = 1.5
"""How long a table is waited for: whoever wants to write into it meanwhile waits behind."""
PAUSE_SECONDS = 1.0
TURNS = 120

AT_MACHINES_TOO = "SET LOCAL citus.propagate_set_commands = 'local'"
"""What is set for a transaction Citus tells the machines; elsewhere nobody reads this."""


async def put_up(connection: Connection, tables: list[MovedTable], organization_id: str) -> None:
    """Put up the gate, open; what is there of it stays. Each table is locked for a moment."""
    if await on_node.is_distributed(connection):
        made = await connection.fetchval(MADE)
        await connection.execute(made.replace(*OF_A_SHARD))
    there = {row["name"] for row in await connection.fetch(THERE, _name(organization_id))}
    for table in tables:
        if table.is_through or table.name in there:
            continue
        await _briefly(connection, table, _triggers(table, organization_id))


async def stands(connection: Connection, tables: list[MovedTable], organization_id: str) -> bool:
    """Whether the gate stands on each of the tables."""
    there = {row["name"] for row in await connection.fetch(THERE, _name(organization_id))}
    return all(table.name in there or table.is_through for table in tables)


async def is_noted(connection: Connection, organization_id: str) -> bool:
    """Whether the cell has a state of an organization's gate: a move has begun here."""
    found: bool = await connection.fetchval(NOTED, organization_id)
    return found


async def moves_somebody(connection: Connection) -> bool:
    """Whether anybody's gate stands in the cell: an organization is on its way into it or out of
    it, or its move was broken off.
    """
    found: bool = await connection.fetchval(ANYBODYS)
    return found


async def take_down(connection: Connection, tables: list[MovedTable], organization_id: str) -> None:
    """Remove the gate, and what is noted of it."""
    for table in tables:
        if not table.is_through:
            await _briefly(
                connection,
                table,
                [
                    f'DROP TRIGGER IF EXISTS "{_name(organization_id)}{suffix}" ON {table.name}'
                    for suffix in ("", "_gone")
                ],
            )
    await open_gate(connection, organization_id)


async def set_gate(
    connection: Connection,
    organization_id: str,
    state: GateState,
    *,
    within: timedelta | None = None,
) -> None:
    """Put the gate into a state, for ever or for a time."""
    until = "'infinity'" if within is None else "clock_timestamp() + $3::interval"
    await connection.execute(
        SET.format(until=until), organization_id, state.value, *([] if within is None else [within])
    )


async def open_gate(connection: Connection, organization_id: str) -> None:
    """Let everybody write again."""
    await connection.execute(
        "DELETE FROM organization_gates WHERE organization_id = $1", organization_id
    )


async def wait_for_writers(connection: Connection, organization_id: str, *, seconds: float) -> bool:
    """Wait until all transactions have ended that wrote something of an organization before its
    gate was closed. Answers whether they have.
    """
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL lock_timeout = '{max(int(seconds * 1000), 1)}ms'")
            await connection.execute(WRITERS, organization_id)
    except asyncpg.LockNotAvailableError:
        return False
    return True


async def hold_closed(connection: Connection, organization_id: str) -> bool:
    """Let a gate that is still closed stay so for ever. Answers whether it was."""
    held = await connection.execute(HOLD, organization_id)
    return bool(held == "UPDATE 1")


def _triggers(table: MovedTable, organization_id: str) -> list[str]:
    name, call = _name(organization_id), f"svc_organization_gate('{organization_id}')"
    return [
        f'CREATE TRIGGER "{name}{suffix}" BEFORE {events} ON {table.name} FOR EACH ROW '
        f"WHEN ({row}.{table.owner_column} = '{organization_id}') EXECUTE FUNCTION {call}"
        for suffix, events, row in (("", "INSERT OR UPDATE", "NEW"), ("_gone", "DELETE", "OLD"))
    ]


def _name(organization_id: str) -> str:
    return f"svc_gate_{organization_id}"


async def _briefly(connection: Connection, table: MovedTable, statements: list[str]) -> None:
    for _ in range(TURNS):
        try:
            async with connection.transaction():
                await connection.execute(
                    f"{AT_MACHINES_TOO}; SET LOCAL lock_timeout = '{int(LOCK_SECONDS * 1000)}ms'"
                )
                for statement in statements:
                    await connection.execute(statement)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            return
    raise TableInUse(f"{table.name} is in use by transactions that do not end")


MADE = "SELECT pg_get_functiondef('svc_organization_gate'::regproc)"

OF_A_SHARD = ("TG_TABLE_NAME = 'webhook_feed_queue'", "TG_TABLE_NAME LIKE 'webhook_feed_queue%'")
"""On Citus the function is asked of a shard, whose name ends in its number."""

THERE = """
SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE t.tgname = $1 AND c.relnamespace = current_schema()::regnamespace
"""

ANYBODYS = r"""
SELECT EXISTS (
    SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::text::regnamespace AND t.tgname LIKE 'svc\_gate\_%'
)
"""

NOTED = "SELECT EXISTS (SELECT FROM organization_gates WHERE organization_id = $1)"

WRITERS = "SELECT pg_advisory_xact_lock(hashtextextended('writes of ' || $1::text, 0))"

SET = """
INSERT INTO organization_gates (organization_id, state, until) VALUES ($1, $2, {until})
ON CONFLICT (organization_id) DO UPDATE SET state = excluded.state, until = excluded.until
"""

HOLD = """
UPDATE organization_gates SET until = 'infinity'
WHERE organization_id = $1 AND state = 'closed' AND until > clock_timestamp()
"""
