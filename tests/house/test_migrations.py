"""The migrations are complete, and machines may apply them at the same moment."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation.database import db, schema
from core.foundation.database.migration_runner import LOCK
from tests.support.upgrading import NAMES
from tests.support.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]

# Needs a process of its own: it sets Tortoise's context, and here that is the test run's. What takes its time is to
# begin: it reads every module anew. The limit is of what it computes, since a machine that does much else lets it wait.
UNDECLARED = """
import asyncio, json, resource
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from tortoise import fields
from core.foundation.database import schema
from core.wallet.models import Wallet

Wallet._meta.add_field("more", fields.IntField(null=True))
print(json.dumps(asyncio.run(schema.undeclared_changes())))
"""
MIGRATE = """
import asyncio, json, sys
from core.foundation.database import schema
applied = []
waits = lambda line: print(line, file=sys.stderr, flush=True)
asyncio.run(schema.migrate(sys.argv[1], progress=applied.append, waiting=waits))
print(json.dumps(applied))
"""


def test_the_models_declare_nothing_that_no_migration_makes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNDECLARED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    assert json.loads(done.stdout) == ["Add field more to Wallet"], (
        "no migration makes the column that was added here, and every other one is made"
    )


def test_migrations_are_numbered_without_gaps() -> None:
    assert [name.partition("_")[0] for name in NAMES] == [
        f"{n:04d}" for n in range(1, len(NAMES) + 1)
    ]


async def test_the_open_database_lacks_no_migration(database: None) -> None:
    assert await schema.pending() == []


@pytest.fixture
def fresh(servers: tuple[EmbeddedPostgres, EmbeddedRedis]) -> Iterator[str]:
    """The address of an empty database."""
    postgres, _ = servers
    yield postgres.create_database("fresh")
    postgres.drop_database("fresh")


@pytest.fixture
async def onlooker(fresh: str) -> AsyncIterator["asyncpg.Connection[Any]"]:
    """A connection to it."""
    connection = await asyncpg.connect(fresh)
    yield connection
    await connection.close()


async def migrating(address: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MIGRATE, address),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


LISTS = """
SELECT attrelid::regclass || '.' || attname AS name, pg_get_expr(adbin, adrelid) AS made
FROM pg_attrdef JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum)
JOIN pg_class c ON c.oid = attrelid
WHERE relnamespace = current_schema()::text::regnamespace AND atttypid = 'text[]'::regtype
"""


async def test_a_list_that_nobody_gives_is_empty(database: None) -> None:
    """Of a text that stands for a list, the models make one of its characters."""
    defaults = {row["name"]: row["made"] for row in await db.fetch(LISTS)}

    assert set(defaults.values()) == {"'{}'::text[]"}, defaults


async def test_two_machines_may_migrate_a_fresh_database_at_once(
    fresh: str, onlooker: "asyncpg.Connection[Any]"
) -> None:
    await onlooker.execute("SELECT pg_advisory_lock($1)", LOCK)
    machines = [await migrating(fresh) for _ in range(2)]
    await all_wait(machines)
    await onlooker.execute("SELECT pg_advisory_unlock($1)", LOCK)
    said = [await machine.communicate() for machine in machines]

    assert [machine.returncode for machine in machines] == [0, 0], said
    assert sorted(json.loads(out) for out, _ in said) == [[], [f"core.{name}" for name in NAMES]]
    assert await onlooker.fetchval("SELECT to_regclass('wallets')::text") == "wallets"
    recorded = await onlooker.fetch("SELECT name FROM tortoise_migrations ORDER BY name")
    assert [row["name"] for row in recorded] == NAMES


async def all_wait(machines: list[asyncio.subprocess.Process]) -> None:
    """Until each of them has told that it waits."""
    for machine in machines:
        assert machine.stderr is not None
        assert (await machine.stderr.readline()).startswith(b"waits for another svc migrate")


async def test_a_machine_that_dies_while_it_waits_leaves_the_door_open(
    fresh: str, onlooker: "asyncpg.Connection[Any]"
) -> None:
    await onlooker.execute("SELECT pg_advisory_lock($1)", LOCK)
    dies = await migrating(fresh)
    await all_wait([dies])
    dies.kill()
    await dies.communicate()

    await onlooker.execute("SELECT pg_advisory_unlock($1)", LOCK)

    async def the_door_is_open() -> bool:
        return bool(await onlooker.fetchval("SELECT pg_try_advisory_lock($1)", LOCK))

    await eventually(
        the_door_is_open, "the server notices that it is gone and lets the next one in"
    )
