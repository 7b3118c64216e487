"""A second cell beside the home of the tests: another database of the same server; and a third one, a schema that
Citus has placed, where the run has a cluster.
"""

import os
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
from tests.conftest import empty_tables, migrated_and_distributed
from tests.support import citus

NAME = "south"
PLACED = "west"
DATABASE_OF_CELL = "second_cell"
_made: set[str] = set()
"""The servers that have it: on Citus the home is on another one."""


@pytest.fixture(scope="session")
async def second_database(servers: tuple[EmbeddedPostgres, EmbeddedRedis], database: None) -> str:
    """The address of a copy of the migrated database; nobody may be connected while it is made. It is
    made once for all files that ask for it.
    """
    if servers[0].address in _made or await db.fetchval(
        "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", DATABASE_OF_CELL
    ):
        return servers[0].address_of(DATABASE_OF_CELL)
    await db.close_database()
    _made.add(servers[0].address)
    try:
        return servers[0].create_database(DATABASE_OF_CELL, template=DATABASE)
    finally:
        await db.open_database(settings.current(), bounds=BACKUP)


@pytest.fixture
async def south(second_database: str, real_commits: None) -> AsyncIterator[cells.Cell]:
    """A cell besides the home, as the list names it."""
    async with _listed(NAME, second_database) as cell:
        yield cell


@pytest.fixture(scope="session")
async def second_placed(database: None) -> str:
    """The address of another schema that Citus has placed; nobody uses it yet."""
    cluster = citus.running()
    assert cluster is not None
    address = cluster.cell(f"west{os.getpid()}")
    await db.close_database()
    try:
        await migrated_and_distributed(address)
    finally:
        await db.open_database(settings.current(), bounds=BACKUP)
    return address


@pytest.fixture
async def west(second_placed: str, real_commits: None) -> AsyncIterator[cells.Cell]:
    """A cell besides the home, which Citus has placed as it has that."""
    async with _listed(PLACED, second_placed) as cell:
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
    database, usual = address.read(cell.url or "").database, address.connect

    async def connect(to: address.DatabaseAddress, **options: Any) -> address.Connection:
        if to.database == database:
            raise ConnectionRefusedError
        return await usual(to, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(address, "connect", connect)
        await db.execute(CUT_OFF, database)
        yield


CUT_OFF = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1"


async def a_listed_cell(name: str, url: str) -> None:
    """Write a cell into the list, as `svc cell add` does."""
    await cells.add_cell(name, url, at=real_now())
