"""The servers of the test run, and the clean slate around every test."""

import asyncio
import base64
import gc
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core import cells
from core.foundation import http_client, jobs, settings
from core.foundation.database import db
from core.foundation.database.bounded_pool import BACKUP, MIGRATION
from core.operations import places
from core.organizations import clear_credential_cache
from tests.fakes.queue import RecordedQueue
from tests.support import citus
from tests.support.migrated import copy_migrated, made_ahead
from tests.support.not_on_citus import skip_there
from tests.support.parallel import Parallel
from tests.support.rewritten import rewritten_ahead
from tests.support.service import machines, receiver, service, template
from tests.support.slates import rolled_back

# The fixtures of tests with real processes, one pair of servers for all of them.
__all__ = ["machines", "receiver", "service", "template"]


SLOW_FILE = re.compile(r"^pytestmark = pytest\.mark\.slow$", re.MULTILINE)
DRAWN = re.compile(r"_[0-9A-Za-z]{21,}")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Tests are named without what is drawn at random: every process that collects them must find
    the same ones.
    """
    return DRAWN.sub("_", val) if isinstance(val, str) and DRAWN.search(val) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--processes`."""
    parser.addoption(
        "--processes", type=int, default=1, help="share the tests among so many processes"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect garbage seldom: a quarter of the run was spent on looking through tests and schemas,
    which all stay. A busy machine is no fault of a property test.
    """
    gc.set_threshold(50_000, 50, 100)
    hypothesis.settings.register_profile(
        "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("any machine")
    if (home := citus.home()) is not None:
        config.add_cleanup(citus.started(home, migrated_postgres(config)))
    if (processes := config.getoption("processes")) > 1:
        config.pluginmanager.register(Parallel(config, processes), "parallel")
        config.add_cleanup(made_ahead(migrated_postgres(config)))
        if not sys.dont_write_bytecode:
            config.add_cleanup(rewritten_ahead(config))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file that is slow as a whole is not even imported where slow tests are not wanted."""
    if config.getoption("markexpr") != "not slow" or collection_path.suffix != ".py":
        return None
    return SLOW_FILE.search(collection_path.read_text(encoding="utf-8")) is not None or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On Citus some cannot hold."""
    if citus.home() is not None:
        skip_there(items)


def migrated_postgres(config: pytest.Config) -> Path:
    """Where the PostgreSQL is kept that those of the tests are copies of, and the text of a schema for Citus."""
    return config.cache.mkdir("postgres")


def pytest_collection_finish() -> None:
    """What is there by now stays."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def servers(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[tuple[EmbeddedPostgres, EmbeddedRedis]]:
    """One PostgreSQL and one Redis for the run, with the settings of the service pointing at them."""
    folder: Path = tmp_path_factory.mktemp("servers")
    copy_migrated(folder / "postgres", migrated_postgres(pytestconfig))
    with (
        EmbeddedPostgres(folder / "postgres", durable=False) as postgres,
        EmbeddedRedis(folder / "redis") as redis,
    ):
        os.environ |= {
            "DATABASE_URL": a_cell_of_citus() or postgres.address,
            "REDIS_URL": redis.address,
            "SVC_HASH_KEY": "the hash key of the tests",
            "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(range(32))).decode(),
            "SVC_DATA_DIR": str(folder / "data"),
            "SVC_BASE_URL": "http://svc.test",
            "SVC_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
            "SVC_WEBHOOK_ALLOW_HTTP": "on",
        }
        settings.current.cache_clear()
        yield postgres, redis


def a_cell_of_citus() -> str | None:
    """The address of a new distributed schema, where the run has a cluster."""
    cluster = citus.running()
    if cluster is None:
        return None
    name = f"cell{os.getpid()}"
    address = cluster.migrated_cell(name)
    asyncio.run(distributed(address))
    return address


async def distributed(address: str) -> None:
    """As `svc cell place` leaves a schema."""
    async with db.connected_apart(address, bounds=MIGRATION) as connection:
        await places.distribute(connection)


@pytest.fixture(scope="session")
async def database(servers: tuple[EmbeddedPostgres, EmbeddedRedis]) -> AsyncIterator[None]:
    """The migrated database, open for the run."""
    await db.open_database(settings.current(), bounds=BACKUP)  # a test may be one long transaction
    await cells.learn_cells()
    yield
    await http_client.close_clients()
    await db.close_database()


@pytest.fixture(scope="session", autouse=True)
def nobody_learns_of_clocks() -> Iterator[None]:
    """No other process has to know of a clock that a test sets."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("core.sandbox_clock.limits.KNOWN_AFTER_SECONDS", 0)
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_adds_cells() -> Iterator[None]:
    """The list of cells is read when a test says so, and never beside what it counts."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("core.cells.directory.CELLS_SECONDS", 3_600)
        yield


@pytest.fixture
async def clean_slate(database: None) -> AsyncIterator[None]:
    """A transaction around the test that is rolled back at its end."""
    async with rolled_back():
        yield


@pytest.fixture(scope="module")
async def slate_of_the_file(database: None) -> AsyncIterator[None]:
    """A transaction around the tests of a file that only look at what is made once; with `clean_slate` each of them takes
    back what it does itself.
    """
    async with rolled_back():
        yield


@pytest.fixture
async def real_commits(database: None) -> AsyncIterator[None]:
    """For races: every transaction commits for real, and all rows go at the end."""
    clear_credential_cache()
    yield
    await empty_tables()


TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = current_schema()::text::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  AND relname <> 'tortoise_migrations'
"""


WITH_PAGES = "AND (relkind = 'p' OR pg_relation_size(oid) > 0)"
"""Those that nobody has written to since they were emptied are not even looked into."""


async def empty_tables() -> None:
    """Truncate the tables that have rows: to truncate all of them takes half a second."""
    here = "" if citus.running() else WITH_PAGES  # on Citus the pages lie on another machine
    names = [row["relname"] for row in await db.fetch(TABLES + here)]
    asked = [f"SELECT '{name}' AS name WHERE EXISTS (SELECT FROM {name})" for name in names]
    if filled := [row["name"] for row in await db.fetch(" UNION ALL ".join(asked))]:
        await db.execute("TRUNCATE " + ", ".join(filled) + " CASCADE")


@pytest.fixture(autouse=True)
def queue() -> Iterator[RecordedQueue]:
    """Records the wake-ups that a test causes."""
    queue = RecordedQueue()
    jobs.use_queue(queue)
    yield queue
    jobs.use_queue(None)


@pytest.fixture
def billing_off(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation that charges nothing."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_BILLING", "off")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()
