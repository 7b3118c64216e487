"""Two databases of one server: the one that an organization leaves, and the one that it enters."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg
import pytest

from core.foundation import settings
from tests.conftest import TABLES, empty_tables
from tests.support.books import Connection


class Both(NamedTuple):
    """A connection to each."""

    source: Connection
    target: Connection


@pytest.fixture
async def both(second_database: str, real_commits: None) -> AsyncIterator[Both]:
    """The two, both empty."""
    async with (
        connected(settings.current().database_url) as source,
        connected(second_database) as target,
    ):
        yield Both(source, target)
        names = [row["relname"] for row in await target.fetch(TABLES)]
        await target.execute("TRUNCATE " + ", ".join(names))
    await empty_tables()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Connection]:
    """A connection of the test's own."""
    connection: Connection = await asyncpg.connect(address)
    try:
        yield connection
    finally:
        await connection.close()
