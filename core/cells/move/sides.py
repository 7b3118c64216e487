"""The two cells of a move: where their tables are changed, and where their rows lie.

In a plain PostgreSQL that is one place. A schema that Citus has placed is changed at the coordinator;
its rows lie in shards, which are tables of one machine. Snapshots, numbers of transactions and locks
are that machine's, and say nothing at the coordinator. So rows are read and written there, under the
names of the shards; for PostgreSQL they are tables as any other.

Citus may move the cell to another machine meanwhile. Whoever notes how far a move has come looks before
whether it has: what was written where the rows are no more is not relied on.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast
from zlib import crc32

import asyncpg

from core.cells.move.errors import MachineAway
from core.foundation.database import db, on_node
from core.foundation.database.address import Connection
from core.foundation.database.bounded_pool import BACKUP

Sends = TypeVar("Sends", bound=Callable[..., Any])


def _on_shards(sends: Sends) -> Sends:
    @wraps(sends)
    def sent(self: "ShardConnection", sql: str, *arguments: object, **options: object) -> object:
        return sends(self, on_node.on_shards(sql, self.shards), *arguments, **options)

    return cast(Sends, sent)


class ShardConnection(asyncpg.Connection):
    """A connection to the machine that holds the tables of a schema, which statements name as ever."""

    shards: Mapping[str, str] = {}

    execute = _on_shards(asyncpg.Connection.execute)
    fetch = _on_shards(asyncpg.Connection.fetch)
    fetchrow = _on_shards(asyncpg.Connection.fetchrow)
    fetchval = _on_shards(asyncpg.Connection.fetchval)
    cursor = _on_shards(asyncpg.Connection.cursor)
    copy_from_query = _on_shards(asyncpg.Connection.copy_from_query)

    async def copy_to_table(self, table_name: str, **options: Any) -> str:
        """As ever, into the shard of the table."""
        tag: str = await super().copy_to_table(
            _name(self.shards.get(table_name, table_name)), **options
        )
        return tag


def names_of_shards(connection: Connection) -> set[str]:
    """The tables that hold the rows of others, where Citus has placed the cell."""
    shards: Mapping[str, str] = getattr(
        connection, "shards", {}
    )  # asyncpg lets no class be told apart
    return {_name(shard) for shard in shards.values()}


def _name(shard: str) -> str:
    """Without the schema, which is the first that the connection looks into."""
    return shard.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Side:
    """A cell of a move. `schema`: where its tables are changed. `rows`: where their rows are. `machine`: where
    Citus keeps it, as host:port; None: it is a plain PostgreSQL.
    """

    schema: Connection
    rows: Connection
    machine: str | None = None

    async def stays(self) -> bool:
        """Whether the rows are still there."""
        return self.machine is None or await _machine_of(self.schema) == self.machine

    def marked(self, transaction: int) -> int:
        """The number of a transaction, which tells on Citus whose number it is: its upper half is
        the machine's.
        """
        return transaction % 2**32 + (self._mark << 32) if self.machine else transaction

    def knows(self, transaction: int) -> bool:
        """Whether a number that was marked is of this machine."""
        return self.machine is None or transaction >> 32 == self._mark

    @property
    def _mark(self) -> int:
        return crc32((self.machine or "").encode()) >> 1


@asynccontextmanager
async def side_of(url: str) -> AsyncIterator[Side]:
    """Connections to a cell, for as long as a move takes. Raises MachineAway."""
    async with db.connected_apart(url, bounds=BACKUP) as schema:
        if not await on_node.is_distributed(schema):
            yield Side(schema, schema)
            return
        machine = await _machine_of(schema)
        name = await schema.fetchval("SELECT quote_ident(current_schema())")
        host, _, port = machine.rpartition(":")
        async with AsyncExitStack() as stack:
            try:
                rows = await stack.enter_async_context(
                    db.connected_apart(
                        url, bounds=BACKUP, at=(host, int(port)), kind=ShardConnection
                    )
                )
            except (OSError, asyncpg.PostgresError) as error:
                raise MachineAway(machine) from error
            await rows.execute(f"SET search_path = {name}; {LOOKS_AT_SHARDS}")
            cast(ShardConnection, rows).shards = await on_node.shards_of(schema)
            yield Side(schema, rows, machine)


async def _machine_of(schema: Connection) -> str:
    found: str = await schema.fetchval(MACHINE)
    return found


# Citus hides shards from whoever reads the catalogue, which takes seconds and keeps none from being written.
LOOKS_AT_SHARDS = "SET citus.override_table_visibility = off"

MACHINE = """
SELECT n.nodename || ':' || n.nodeport
FROM pg_dist_schema d
JOIN pg_dist_partition p ON p.colocationid = d.colocationid
JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
JOIN pg_dist_placement l ON l.shardid = s.shardid
JOIN pg_dist_node n ON n.groupid = l.groupid AND n.noderole = 'primary'
WHERE d.schemaid = current_schema()::text::regnamespace LIMIT 1
"""
