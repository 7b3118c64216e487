"""Which organizations a database has, asked over a connection of its own: of the cell that one
moves into, or of a database that is no cell yet.
"""

from collections.abc import Sequence

from core.foundation.database.address import Connection


async def has_all(connection: Connection, ids: Sequence[str]) -> bool:
    """Whether all of these live there."""
    found: int = await connection.fetchval(THERE, ids)
    return found == len(ids)


async def has_anybody(connection: Connection) -> bool:
    """Whether anybody lives there; nobody does where there are no tables."""
    return bool(await connection.fetchval(HAS_A_TABLE) and await connection.fetchval(HAS_ANYBODY))


THERE = "SELECT count(*) FROM organizations WHERE id = ANY ($1::text[])"

HAS_A_TABLE = "SELECT to_regclass('organizations') IS NOT NULL"

HAS_ANYBODY = "SELECT EXISTS (SELECT FROM organizations)"
