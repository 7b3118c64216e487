"""A second cell beside the home of the tests: another database of the same server, on Citus another
schema of the same database. There a plain one is had too.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cli.embedded.postgres import DATABASE, EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core import cells
from core.foundation import settings
from core.foundation.clock import real_now
from core.foundation.database import address, db
from core.foundation.database.bounded_pool import BACKUP
from tests.conftest import empty_tables
from tests.support import citus

NAME = "south"
PLAIN = "west"
DATABASE_OF_CELL = "second_cell"
_made: set[str] = set()
"""The servers that have it: on Citus the home is on another one."""


@pytest.fixture(scope="session")
async def second_database(servers: tuple[EmbeddedPostgres, EmbeddedRedis], database: None) -> str:
    """The address of a copy of the migrated database, on Citus of another placed schema. It is made
    once for all files that ask for it.
    """
    placed = await asyncio.to_thread(citus.a_second_cell)
    return placed or await _copied(servers[0])


@pytest.fixture(scope="session")
async def plain_database(servers: tuple[EmbeddedPostgres, EmbeddedRedis], database: None) -> str:
    """The address of a copy of the migrated database, which no Citus has placed."""
    return await _copied(servers[0])


async def _copied(server: EmbeddedPostgres) -> str:
    """The address of the copy; nobody may be connected while it is made."""
    if server.address in _made or await db.fetchval(
        "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", DATABASE_OF_CELL
    ):
        return server.address_of(DATABASE_OF_CELL)
    await db.close_database()
    _made.add(server.address)
    try:
        return server.create_database(DATABASE_OF_CELL, template=DATABASE)
    finally:
        await db.open_database(settings.current(), bounds=BACKUP)


@pytest.fixture
async def south(second_database: str, real_commits: None) -> AsyncIterator[cells.Cell]:
    """A cell besides the home, as the list names it."""
    async with _listed(NAME, second_database) as cell:
        yield cell


@pytest.fixture
async def west(plain_database: str, real_commits: None) -> AsyncIterator[cells.Cell]:
    """A cell besides the home, which no Citus has placed."""
    async with _listed(PLAIN, plain_database) as cell:
        yield cell


@asynccontextmanager
async def _listed(name: str, address: str) -> AsyncIterator[cells.Cell]:
    await a_listed_cell(name, address)
    cell = await cells.cell_named(name)
    yield cell
    with cells.use_cell(cell):
        await empty_tables()
    await db.execute("DELETE FROM cells WHERE name = $1", name)
    await cells.learn_cells()
    cells.forget_cells()
    await cells.learn_cells()


@asynccontextmanager
async def away(cell: cells.Cell) -> AsyncIterator[None]:
    """Nobody can connect to the cell meanwhile, and whoever was connected is cut off."""
    place, usual = _place_of(cell.url or ""), address.connect

    async def connect(to: address.DatabaseAddress, **options: Any) -> address.Connection:
        if (to.database, to.user) == place:
            raise ConnectionRefusedError
        return await usual(to, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(address, "connect", connect)
        await db.execute(CUT_OFF, *place)
        yield


def _place_of(url: str) -> tuple[str, str]:
    read = address.read(url)
    return read.database, read.user


CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2
"""


async def a_listed_cell(name: str, url: str) -> None:
    """Write a cell into the list, as `svc cell add` does."""
    await cells.add_cell(name, url, at=real_now())
