"""Whose files a database answers for: cells share one store of files."""

from typing import Any

import asyncpg

from core.cells.move import BLOCK_BITS


async def is_one_of_several(connection: "asyncpg.Connection[Any]") -> bool:
    """Whether a database has been a cell beside others, or the home of some. False of an empty one."""
    if await connection.fetchval("SELECT to_regclass('organization_cells')") is None:
        return False
    return bool(await connection.fetchval(ONE_OF_SEVERAL, 1 << BLOCK_BITS))


async def organizations_living_in(connection: "asyncpg.Connection[Any]") -> set[str]:
    """The organizations with rows in a database that no directory of its own places elsewhere."""
    return {id for (id,) in await connection.fetch(LIVING)}


# A cell begins a block of numbers when it is added, and whenever an organization enters it.
ONE_OF_SEVERAL = """
SELECT EXISTS (SELECT FROM cells) OR EXISTS (
    SELECT FROM pg_class s WHERE s.relnamespace = current_schema()::text::regnamespace
    AND CASE WHEN s.relkind = 'S' THEN pg_sequence_last_value(s.oid) END >= $1::bigint
)
"""

LIVING = "SELECT id FROM organizations EXCEPT SELECT organization_id FROM organization_cells"
