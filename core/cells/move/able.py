"""Whether an organization can be moved from one cell into another: looked at before anything is noted."""

import asyncpg

from core.cells.move.copying import AS_COPIED
from core.cells.move.errors import MayNotCopy, OnCitus
from core.cells.move.tables import moved_tables, must_be_alike
from core.foundation.database import on_node
from core.foundation.database.address import Connection


async def must_be_able(source: Connection, target: Connection) -> None:
    """Raises OnCitus, MayNotCopy, UnlikeTables."""
    for connection in (source, target):
        if await on_node.is_distributed(connection):
            raise OnCitus
        try:
            async with connection.transaction():
                await connection.execute(AS_COPIED)
        except asyncpg.InsufficientPrivilegeError:
            role = await connection.fetchval("SELECT quote_ident(current_user)")
            raise MayNotCopy(role) from None
    must_be_alike(await moved_tables(source), await moved_tables(target))
