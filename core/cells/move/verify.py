"""Proof that an organization's rows are the same in two cells: of each table how many, and a sum of
their hashes.
"""

import asyncio

from core.cells.move.copying import Pair
from core.cells.move.errors import NotTheSame
from core.cells.move.tables import MovedTable
from core.foundation.database.address import Connection


async def verify(pair: Pair, tables: list[MovedTable]) -> int:
    """Compare all that they hold. Answers how many rows there are. Raises NotTheSame."""
    query = " UNION ALL ".join(
        SUMS.format(sent=table.sent, name=table.name, owner=table.owner) for table in tables
    )
    here, there = await asyncio.gather(
        pair.source.fetch(query, pair.organization_id),
        pair.target.fetch(query, pair.organization_id),
    )
    found = {row["name"]: row for row in there}
    if unlike := sorted(row["name"] for row in here if row != found[row["name"]]):
        raise NotTheSame(unlike)
    return sum(row["rows"] for row in here)


async def rows_of(
    connection: Connection, tables: list[MovedTable], organization_id: str
) -> dict[str, int]:
    """How many rows each table has."""
    query = " UNION ALL ".join(COUNT.format(name=one.name, owner=one.owner) for one in tables)
    return {row["name"]: row["rows"] for row in await connection.fetch(query, organization_id)}


# The sum does not depend on the order of the rows.
SUMS = """
SELECT '{name}' AS name, count(*) AS rows, bit_xor(hashtextextended(ROW({sent})::text, 0)) AS sum
FROM {name} WHERE {owner}
"""

COUNT = "SELECT '{name}' AS name, count(*) AS rows FROM {name} WHERE {owner}"
