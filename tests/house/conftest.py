"""Databases at their first migration."""

from collections.abc import AsyncIterator

import pytest

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation.database import schema
from tests.support.upgrading import NAMES, alone


@pytest.fixture(scope="session")
async def first(servers: tuple[EmbeddedPostgres, EmbeddedRedis]) -> AsyncIterator[str]:
    """The name of a database that has the first migration, to be copied."""
    postgres, _ = servers
    await alone(schema.migrate(postgres.create_database("first"), until=NAMES[0]))
    yield "first"
    postgres.drop_database("first")


@pytest.fixture
async def early(servers: tuple[EmbeddedPostgres, EmbeddedRedis], first: str) -> AsyncIterator[str]:
    """The address of a database of one test that has the first migration."""
    postgres, _ = servers
    yield postgres.create_database("early", template=first)
    postgres.drop_database("early")
