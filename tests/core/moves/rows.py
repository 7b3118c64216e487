"""Rows of an organization in every table, whatever they say."""

import itertools

from core.cells.move.tables import MovedTable
from tests.support.books import Connection
from tests.support.upgrading import inserts

ENV = "'ENV'"
"""Each row has another one, so that no unique key is met twice."""
_envs = itertools.count()

FOREIGN_XID = 2**50
"""A transaction of a server that has seen more of them."""


async def fill(connection: Connection, tables: list[MovedTable], whose: str, *, rows: int) -> None:
    """Write so many rows into each of the tables, without what triggers would write."""
    given = {
        "organization_id": f"'{whose}'",
        "env": ENV,
        "organizations.id": f"'{whose}'",
        "audience_changes.xid": str(FOREIGN_XID),
        "journey_trail.run_id": f"(SELECT id FROM journey_runs WHERE organization_id = '{whose}' "
        "ORDER BY random() LIMIT 1)",
        "journey_trail.seq": "(random() * 1e9)::int",
    }
    statements = await inserts(connection, given)
    async with connection.transaction():
        await connection.execute("SET LOCAL session_replication_role = replica")
        for table in sorted(tables, key=lambda table: table.name == "journey_trail"):
            only_one = [one.name for one in table.key] in (["organization_id"], ["id"])
            once = only_one and table.name in ("organizations", "price_tables")
            for _ in range(1 if once else rows):
                env = f"'{next(_envs):04x}'"
                await connection.execute(statements[table.name].replace(ENV, env))


async def rows_of(
    connection: Connection, tables: list[MovedTable], whose: str
) -> dict[str, list[str]]:
    """Every row of an organization, by table, as it is to arrive."""
    return {
        table.name: sorted(
            row["text"]
            for row in await connection.fetch(
                f"SELECT ROW({table.sent})::text AS text FROM {table.name} WHERE {table.owner}",
                whose,
            )
        )
        for table in tables
    }
