"""Whether an organization can be moved from one cell into another: looked at before anything is
noted.
"""

import asyncpg

from core.cells.move.copying import AS_COPIED
from core.cells.move.errors import MayNotCopy, UnlikeTables
from core.cells.move.sides import Side
from core.moves.tables import moved_tables, must_be_alike


async def must_be_able(source: Side, target: Side) -> None:
    """Raises MayNotCopy, UnlikeTables."""
    for side in (source, target):
        try:
            async with side.rows.transaction():
                await side.rows.execute(AS_COPIED)
        except asyncpg.InsufficientPrivilegeError:
            role = await side.rows.fetchval("SELECT quote_ident(current_user)")
            raise MayNotCopy(role, side.machine) from None
    must_be_alike(await moved_tables(source.rows), await moved_tables(target.rows))
    if await source.schema.fetchval(MIGRATIONS) != await target.schema.fetchval(MIGRATIONS):
        raise UnlikeTables(
            "the two cells do not have the same migrations: let svc migrate bring both to the newest, or end there"
        )


# Columns alone do not tell: what a migration fills in rows that are there is not filled in those that come later.
MIGRATIONS = "SELECT array_agg(name ORDER BY name) FROM tortoise_migrations WHERE app = 'core'"
