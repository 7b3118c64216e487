"""Which database a cell is: a new one is empty, and another address leads to those who live there."""

import secrets

from core import cells, organizations
from core.foundation.database import address, db
from core.foundation.database.availability import is_outage
from core.foundation.errors import Conflict


class CellNotEmpty(Conflict):
    default_detail = (
        "Organizations live in this database, or it is that of the home or of another cell; a cell begins with an empty "
        "one. svc cell add --replace gives a listed cell another address."
    )


class CellIsAnother(Conflict):
    default_detail = "This database lacks organizations that live in the cell: it is not the one that the cell had."


async def refuse_taken_database(url: str) -> None:
    """Raises CellNotEmpty for the database of the home or of another cell, by whatever address, and
    for one in which organizations live: nobody's keys would find them.
    """
    async with db.connected_apart(url) as connection:
        if await organizations.has_anybody(connection):
            raise CellNotEmpty
        mark = secrets.randbits(62)
        schema = await connection.fetchval(LEAVE_A_MARK, mark)
        for cell in await cells.every_cell():
            if await _has_mark(cell, mark, schema):
                raise CellNotEmpty


async def _has_mark(cell: cells.Cell, mark: int, schema: str) -> bool:
    """Whether the mark was left in the database of a cell, and that has its tables in the same
    schema.
    """
    try:
        with cells.use_cell(cell):
            found: bool = await db.fetchval(HAS_THE_MARK, mark, schema)
            return found
    except Exception as error:
        if not is_outage(error):
            raise
        return False


async def lead_to(name: str, url: str) -> None:
    """Let everybody reach a listed cell at another address, within seconds: a password that was
    changed, a standby that took over. Raises NoSuchCell, InvalidDatabaseUrl; CellIsAnother for a
    database that lacks somebody who lives there.
    """
    address.read(url, "--database-url")
    placed = await cells.living_in(name)
    async with db.connected_apart(url) as connection:
        if not await organizations.has_all(connection, placed):
            raise CellIsAnother
    await cells.set_address(name, url)


# A lock, which whoever is connected to the same database sees; a copy of a server has the same identifier.
LEAVE_A_MARK = "SELECT current_schema()::text FROM pg_advisory_lock($1::bigint)"

HAS_THE_MARK = """
SELECT current_schema()::text = $2::text AND EXISTS (
    SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND (l.classid::bigint << 32 | l.objid::bigint) = $1::bigint)
"""
