"""The embedded servers: start, restart, one owner at a time, and nothing left behind by a kill -9."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest
from redis import Redis

from cli.children.child import GUARD
from cli.embedded.errors import EmbeddedServerError, FolderInUse
from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from cli.embedded.server import EmbeddedServer
from cli.embedded.sockets import MAX_PATH_LENGTH, socket_folder

ROOT = Path(__file__).resolve().parents[2]

OWNER = """
import sys, time
from pathlib import Path
from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
folder = Path(sys.argv[1])
servers = [EmbeddedPostgres(folder / "pg", durable=False), EmbeddedRedis(folder / "redis")]
for server in servers:
    server.start()
print("started", flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path_factory.mktemp("pg"), durable=False) as server:
        yield server


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


async def test_postgres_answers_at_its_address(postgres: EmbeddedPostgres) -> None:
    assert await _value(postgres.address, "SELECT current_database()") == "svc"
    assert str(await _value(postgres.address, "SHOW server_version")).startswith("18.")


async def test_text_sorts_by_code_point_and_knows_accents(postgres: EmbeddedPostgres) -> None:
    assert await _value(postgres.address, "SELECT upper('ação')") == "AÇÃO"
    assert await _value(postgres.address, "SELECT 'Z' < 'a'") is True


async def test_postgres_keeps_data_and_address_through_a_restart(
    postgres: EmbeddedPostgres,
) -> None:
    before = postgres.address
    await _value(before, "CREATE TABLE kept AS SELECT 7 AS n")
    assert await asyncio.to_thread(postgres.restart) == before
    assert await _value(before, "SELECT n FROM kept") == 7


async def test_postgres_recovers_from_a_crash(postgres: EmbeddedPostgres) -> None:
    await _value(postgres.address, "CREATE TABLE crashed AS SELECT 8 AS n")
    await asyncio.to_thread(postgres.restart, "immediate")
    assert await _value(postgres.address, "SELECT n FROM crashed") == 8


async def test_a_database_can_be_copied_and_dropped(postgres: EmbeddedPostgres) -> None:
    original = postgres.create_database("original")
    await _value(original, "CREATE TABLE facts AS SELECT 9 AS n")
    copy = postgres.create_database("copy", template="original")
    assert await _value(copy, "SELECT n FROM facts") == 9
    postgres.drop_database("copy")
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await _value(copy, "SELECT 1")


async def test_a_copy_gives_no_number_twice_after_a_crash(postgres: EmbeddedPostgres) -> None:
    add_one = "INSERT INTO numbered DEFAULT VALUES RETURNING id"
    original = postgres.create_database("counted")
    await _value(original, "CREATE TABLE numbered (id bigserial PRIMARY KEY)")
    await _value(original, add_one)
    copy = postgres.create_database("counted_copy", template="counted")
    before = await _value(copy, add_one)
    await asyncio.to_thread(postgres.restart, "immediate")
    assert await _value(copy, add_one) != before  # which is the table's primary key


def test_a_database_name_is_never_sql(postgres: EmbeddedPostgres) -> None:
    with pytest.raises(ValueError, match="lower-case"):
        postgres.create_database('x"; DROP DATABASE svc; --')


def test_a_server_survives_the_thread_that_started_it(tmp_path: Path) -> None:
    redis = EmbeddedRedis(tmp_path)
    asyncio.run(asyncio.to_thread(redis.start))
    try:
        time.sleep(0.3)
        assert redis.running
        assert _ping(redis)
    finally:
        redis.stop()


def test_redis_keeps_data_and_address_through_a_restart(redis: EmbeddedRedis) -> None:
    before = redis.address
    with Redis.from_url(before) as client:
        client.set("kept", "7")
    assert redis.restart() == before
    with Redis.from_url(before) as client:
        assert client.get("kept") == b"7"


def test_a_second_owner_of_a_folder_is_refused(
    redis: EmbeddedRedis, postgres: EmbeddedPostgres
) -> None:
    again: list[EmbeddedServer] = [EmbeddedRedis(redis.folder), EmbeddedPostgres(postgres.folder)]
    for second in again:
        with pytest.raises(FolderInUse, match=f"in use by process {os.getpid()}"):
            second.start()
        second.stop()  # must not harm the first
    assert _ping(redis)
    assert postgres.running


def test_servers_and_sockets_are_gone_after_a_stop(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30)
    server = EmbeddedRedis(deep)
    server.start()
    assert server.sockets.exists()
    server.stop()
    assert not server.running
    assert not server.sockets.exists()
    assert _processes_at(deep) == []


@pytest.mark.parametrize("folder", ["/short", "/" + "deep" * 40, "/with space", "/mit-ümlaut"])
def test_a_socket_path_is_short_and_needs_no_quoting(folder: str) -> None:
    path = str(socket_folder(Path(folder), ".s.PGSQL.5432") / ".s.PGSQL.5432")
    assert len(path.encode()) <= MAX_PATH_LENGTH
    assert " " not in path
    assert path.isascii()


def test_a_killed_owner_leaves_no_servers_and_a_folder_of_use(tmp_path: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "started\n"
        assert len(_processes_at(tmp_path)) >= 4
    finally:
        owner.kill()
        owner.communicate()
    # At once: the new owner waits for the old servers to end.
    postgres = EmbeddedPostgres(tmp_path / "pg", durable=False)
    with postgres, EmbeddedRedis(tmp_path / "redis") as redis:
        assert asyncio.run(_value(postgres.address, "SELECT 1")) == 1
        assert _ping(redis)
    assert _processes_at(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
def test_a_killed_guard_takes_its_server_along(tmp_path: Path) -> None:
    redis = EmbeddedRedis(tmp_path)
    redis.start()
    for process in _processes_at(tmp_path):
        if str(GUARD) in process.cmdline():
            process.kill()
    assert _gone_in_time(tmp_path)
    assert not redis.running
    assert redis.restart() == redis.address
    redis.stop()


async def test_a_stale_pid_file_that_names_a_living_process_is_no_obstacle(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path, durable=False) as server:
        server.stop("immediate")
        (tmp_path / "data" / "postmaster.pid").write_text(
            f"{os.getppid()}\n{tmp_path}/data\n1\n5432\n\n\n\n"
        )
        assert await _value(server.start(), "SELECT 1") == 1


def test_a_cluster_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "data.draft" / "base").mkdir(parents=True)
    with EmbeddedPostgres(tmp_path, durable=False) as server:
        assert server.running
    assert not (tmp_path / "data.draft").exists()


def test_a_cluster_of_another_version_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedServerError, match="PostgreSQL 16, this is 18"):
        EmbeddedPostgres(tmp_path).start()


async def _value(address: str, statement: str) -> object:
    connection = await asyncpg.connect(address)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def _ping(server: EmbeddedRedis) -> bool:
    with Redis.from_url(server.address) as client:
        return bool(client.ping())


def _processes_at(folder: Path) -> list[psutil.Process]:
    """The living processes whose command line names the folder."""
    listed = psutil.process_iter(["cmdline", "status"])
    return [
        process
        for process in listed
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and any(str(folder) in word for word in process.info["cmdline"] or [])
    ]


def _gone_in_time(folder: Path) -> bool:
    deadline = time.monotonic() + 60
    while _processes_at(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not _processes_at(folder)
