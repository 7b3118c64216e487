"""Two databases: the one that an organization leaves, and the one that it enters."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg
import pytest

from core.cells.move.sides import Side, side_of
from core.foundation import settings
from tests.conftest import TABLES, empty_tables
from tests.support.books import Connection
from tests.support.two_cells import second_database, south

__all__ = ["Both", "both", "connected", "second_database", "south"]


class Both(NamedTuple):
    """The two cells."""

    left: Side
    entered: Side

    @property
    def source(self) -> Connection:
        """Where the rows are of the one that is left."""
        return self.left.rows

    @property
    def target(self) -> Connection:
        """Where the rows are of the one that is entered."""
        return self.entered.rows


@pytest.fixture
async def both(second_database: str, real_commits: None) -> AsyncIterator[Both]:
    """The two, both empty."""
    async with (
        side_of(settings.current().database_url) as left,
        side_of(second_database) as entered,
    ):
        yield Both(left, entered)
        names = [row["relname"] for row in await entered.schema.fetch(TABLES)]
        await entered.schema.execute("TRUNCATE " + ", ".join(names))
    await empty_tables()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Connection]:
    """A connection of the test's own."""
    connection: Connection = await asyncpg.connect(address)
    try:
        yield connection
    finally:
        await connection.close()
