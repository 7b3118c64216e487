"""A cell that is a schema: migrated beside another in the same database, and neither touches the other."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from tests.support.forked import ROOT

NAME = "two_schemas"

OBJECTS = """
SELECT c.relkind::text || ' ' || c.relname AS object FROM pg_class c WHERE c.relnamespace = $1::text::regnamespace
UNION SELECT 'function ' || p.proname FROM pg_proc p WHERE p.pronamespace = $1::text::regnamespace
UNION SELECT 'trigger ' || t.tgname || ' ' || t.tgfoid::regproc FROM pg_trigger t
JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = $1::text::regnamespace AND NOT t.tgisinternal
"""

OUTSIDE = """
SELECT i.relname FROM pg_depend d JOIN pg_class i ON i.oid = d.objid JOIN pg_proc p ON p.oid = d.refobjid
WHERE i.relnamespace = $1::text::regnamespace AND p.pronamespace <> i.relnamespace AND p.proname LIKE 'svc_%'
"""


# In a process of its own: it opens and closes the connections of models.
MIGRATE = "import asyncio, sys; from core.foundation.database import schema; asyncio.run(schema.migrate(sys.argv[1]))"


async def _migrate(address: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", MIGRATE, address, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    _, told = await process.communicate()
    assert process.returncode == 0, told.decode()


@pytest.fixture
async def twice(
    servers: tuple[EmbeddedPostgres, EmbeddedRedis],
) -> AsyncIterator["asyncpg.Connection[Any]"]:
    """A migrated database with a second schema, which comes first in the path and which was migrated after the first."""
    postgres, _ = servers
    address = postgres.create_database(NAME)
    await _migrate(address)
    connection = await asyncpg.connect(address)
    await connection.execute(
        f"CREATE SCHEMA cell2; ALTER DATABASE {NAME} SET search_path = cell2, public"
    )
    await _migrate(address)
    yield connection
    await connection.close()
    postgres.drop_database(NAME)


async def test_a_second_schema_is_whole_and_leans_on_nothing_of_the_first(
    twice: "asyncpg.Connection[Any]",
) -> None:
    async def objects(name: str) -> set[str]:
        await twice.execute(f"SET search_path = {name}")
        return {row["object"] for row in await twice.fetch(OBJECTS, name)}

    first = await objects("public")

    assert len(first) > 300
    assert await objects("cell2") == first
    assert await twice.fetch(OUTSIDE, "cell2") == []


async def test_without_a_schema_nothing_is_migrated(
    servers: tuple[EmbeddedPostgres, EmbeddedRedis],
) -> None:
    postgres, _ = servers
    address = postgres.create_database("no_schema")
    connection = await asyncpg.connect(address)
    await connection.execute("ALTER DATABASE no_schema SET search_path = missing")
    await connection.close()

    with pytest.raises(AssertionError, match="CREATE SCHEMA"):
        await _migrate(address)

    postgres.drop_database("no_schema")
