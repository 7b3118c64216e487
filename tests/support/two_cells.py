"""A second cell beside the home of the tests: another database of the same server."""

from collections.abc import AsyncIterator

import pytest

from cli.embedded.postgres import DATABASE, EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core import cells
from core.foundation import settings
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.bounded_pool import BACKUP
from tests.conftest import empty_tables

NAME = "south"


@pytest.fixture(scope="session")
async def second_database(servers: tuple[EmbeddedPostgres, EmbeddedRedis], database: None) -> str:
    """The address of a copy of the migrated database; nobody may be connected while it is made."""
    await db.close_database()
    try:
        return servers[0].create_database("second_cell", template=DATABASE)
    finally:
        await db.open_database(settings.current(), bounds=BACKUP)


@pytest.fixture
async def south(second_database: str, real_commits: None) -> AsyncIterator[cells.Cell]:
    """A cell besides the home, as the list names it."""
    await a_listed_cell(NAME, second_database)
    cell = await cells.cell_named(NAME)
    yield cell
    with cells.use_cell(cell):
        await empty_tables()
    await db.execute("DELETE FROM cells")
    await cells.learn_cells()
    cells.forget_cells()
    await cells.learn_cells()


async def a_listed_cell(name: str, url: str) -> None:
    """Write a cell into the list, as `svc cell add` does."""
    await cells.add_cell(name, url, at=real_now())
