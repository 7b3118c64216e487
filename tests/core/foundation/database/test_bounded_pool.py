"""Every wait for PostgreSQL has an end: for a connection, for an answer, for what was cut off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import pytest

from core.foundation import settings
from core.foundation.database import bounded_pool, db
from core.foundation.database.address import credentials_of
from core.foundation.database.availability import DatabaseSilent, NoConnectionFree, is_outage
from core.foundation.database.bounded_pool import BoundedConnection, BoundedPool, Bounds, bounds_of
from core.foundation.database.db import connected_apart
from core.foundation.database.transactions import statements_within, transaction
from tests.support.waiting import eventually
from tests.support.wire import Wire, through_a_wire

SHORT = 0.2


@asynccontextmanager
async def a_pool(
    url: str, *, size: int = 2, answer: float = SHORT, place: float = SHORT, rests: bool = False
) -> AsyncIterator[BoundedPool]:
    pool = BoundedPool(
        await asyncpg.create_pool(
            **credentials_of(url),
            min_size=size,
            max_size=size,
            connection_class=BoundedConnection,
            command_timeout=answer,
            timeout=30,
        ),
        seconds=place,
        rest=db._give_back if rests else None,
    )
    try:
        yield pool
    finally:
        pool.terminate()


@pytest.fixture
async def wire(database: None) -> AsyncIterator[tuple[str, Wire]]:
    async with through_a_wire(settings.current().database_url) as (url, wire):
        yield url, wire


async def test_whoever_finds_no_connection_free_is_told_so_and_the_pool_stays_whole(
    database: None,
) -> None:
    async with a_pool(settings.current().database_url) as pool:
        held = [await pool.acquire() for _ in range(2)]
        with pytest.raises(NoConnectionFree) as refused:
            await pool.acquire()
        for connection in held:
            await pool.release(connection)
            await pool.release(connection)  # a second time is nothing new
        again = [await pool.acquire() for _ in range(2)]
        with pytest.raises(NoConnectionFree):
            await pool.acquire()
        for connection in again:
            await pool.release(connection)

    assert is_outage(refused.value)


async def test_whoever_waits_has_the_connection_that_is_given_back(database: None) -> None:
    async with a_pool(settings.current().database_url, size=1, place=30) as pool:
        held = await pool.acquire()
        waiting = [asyncio.create_task(pool.acquire()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await pool.release(held)

        assert await (await waiting[1]).fetchval("SELECT 1") == 1


BACKEND = "SELECT pg_backend_pid()"


async def test_what_is_given_back_whole_rests_and_what_is_not_goes_to_asyncpg(
    database: None,
) -> None:
    async with a_pool(settings.current().database_url, size=1, answer=30, rests=True) as pool:
        first = await pool.acquire()
        pid = await first.fetchval(BACKEND)
        await pool.release(first)
        assert (pool.get_idle_size(), await pool.acquire()) == (1, first)

        await first.execute("BEGIN")  # forgotten
        await pool.release(first)
        again = await pool.acquire()
        assert again is not first
        assert not again.is_in_transaction()
        assert await again.fetchval(BACKEND) == pid

        await pool.release(again)
        again.terminate()
        other = await pool.acquire()
        assert await other.fetchval(BACKEND) != pid
        pid = await other.fetchval(BACKEND)
        await pool.release(other)
        await pool.expire_connections()
        new = await pool.acquire()
        assert await new.fetchval(BACKEND) != pid
        await pool.release(new)
        async with asyncio.timeout(5):
            await pool.close()


async def test_a_server_that_falls_silent_is_given_up_and_its_connection_is_closed(
    wire: tuple[str, Wire],
) -> None:
    url, way = wire
    async with a_pool(url, size=1) as pool:
        connection = await pool.acquire()
        number = await connection.fetchval("SELECT pg_backend_pid()", timeout=30)
        with way.silent():
            with pytest.raises(DatabaseSilent) as silent:
                await connection.fetchval("SELECT 1")
            await pool.release(connection)
        again = await pool.acquire()
        assert await again.fetchval("SELECT pg_backend_pid()", timeout=30) != number
        await pool.release(again)

    assert is_outage(silent.value)


async def test_one_silent_connection_is_enough_to_distrust_the_others(
    wire: tuple[str, Wire],
) -> None:
    url, way = wire
    async with a_pool(url, size=3) as pool:
        old = await processes_behind(pool)
        connection = await pool.acquire()
        with way.silent(), pytest.raises(DatabaseSilent):
            await connection.fetchval("SELECT 1")
        await pool.release(connection)

        assert len(old) == 3
        assert not old & await processes_behind(pool)


async def processes_behind(pool: BoundedPool) -> set[int]:
    """Those of the server that the pool's connections lead to."""
    lent = [await pool.acquire() for _ in range(pool.get_max_size())]
    found = {
        await connection.fetchval("SELECT pg_backend_pid()", timeout=30) for connection in lent
    }
    for connection in lent:
        await pool.release(connection)
    return found


async def test_who_is_cancelled_at_a_silent_server_goes_at_once(
    wire: tuple[str, Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a bound of its own, the wish to cancel would be waited for as long as an answer."""
    monkeypatch.setattr(bounded_pool, "CANCEL_TIMEOUT_SECONDS", SHORT)
    url, way = wire
    async with a_pool(url, size=1, answer=3_600) as pool:
        connection = await pool.acquire()
        block = connection.transaction()
        await block.start()
        with way.silent():
            asked = asyncio.create_task(connection.fetchval("SELECT 1"))
            await asyncio.sleep(0)
            asked.cancel()
            with suppress(asyncio.CancelledError):
                await asked
            with pytest.raises(DatabaseSilent):
                await block.rollback()
            await pool.release(connection)
        again = await pool.acquire()
        assert await again.fetchval("SELECT 1") == 1


WAITS_FOR = "SELECT wait_event FROM pg_stat_activity WHERE pid = $1"


async def test_a_connection_whose_statement_was_cancelled_is_used_again_with_all_its_time(
    database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_pool, "CANCEL_TIMEOUT_SECONDS", 5)
    url = settings.current().database_url
    async with a_pool(url, size=1, answer=30) as pool, connected_apart(url) as onlooker:
        connection = await pool.acquire()
        number = await connection.fetchval("SELECT pg_backend_pid()")

        async def sleeps() -> bool:
            event = await onlooker.fetchval(WAITS_FOR, number)
            return bool(event == "PgSleep")

        asked = asyncio.create_task(connection.execute("SELECT pg_sleep(60)"))
        await eventually(sleeps, "the server runs the statement, so that it can cancel it")
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked
        await pool.release(connection)
        again: Any = await pool.acquire()

        assert not again.cut_off
        assert await again.fetchval("SELECT pg_backend_pid()") == number
        await pool.release(again)


async def test_the_server_ends_what_takes_long_what_waits_for_a_lock_and_a_frozen_transaction(
    database: None,
) -> None:
    url = settings.current().database_url
    async with connected_apart(url, bounds=Bounds(statement=SHORT, lock=30, idle=30)) as one:
        with pytest.raises(asyncpg.QueryCanceledError):
            await one.execute("SELECT pg_sleep(60)")
    async with (
        connected_apart(url) as holder,
        connected_apart(url, bounds=Bounds(lock=SHORT)) as waiting,
        connected_apart(url, bounds=Bounds(idle=SHORT)) as frozen,
    ):
        await holder.execute("SELECT pg_advisory_lock(17, 1)")
        with pytest.raises(asyncpg.LockNotAvailableError):
            await waiting.execute("SELECT pg_advisory_lock(17, 1)")
        await frozen.execute("BEGIN")
        await frozen.execute("SELECT pg_advisory_xact_lock(17, 2)")
        await holder.execute(
            "SELECT pg_advisory_lock(17, 2)"
        )  # had for as soon as the frozen one was ended
        with pytest.raises(
            (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
        ) as ended:
            await frozen.execute("SELECT 1")
        assert is_outage(ended.value)


async def test_every_connection_of_the_pools_has_the_bounds_of_the_settings(
    database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {
        "SVC_STATEMENT_SECONDS": "7",
        "SVC_LOCK_SECONDS": "6.5",
        "SVC_IDLE_TRANSACTION_SECONDS": "0.5",
    }
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    known = settings.load()
    config = db.tortoise_config(known.database_url, bounds=bounds_of(known))

    for connection in config["connections"].values():
        asked = connection["credentials"]["server_settings"]
        assert asked["statement_timeout"] == "7000"
        assert asked["lock_timeout"] == "6500"
        assert asked["idle_in_transaction_session_timeout"] == "500"
        assert connection["credentials"]["command_timeout"] == 7 + bounded_pool.ANSWER_GRACE_SECONDS


async def statement_timeout() -> str:
    found: str = await db.fetchval("SHOW statement_timeout")
    return found


async def test_a_block_may_give_its_statements_another_time(real_commits: None) -> None:
    usual = await statement_timeout()
    async with statements_within(1_234):
        assert await statement_timeout() == "1234s"
        async with statements_within(5):
            assert await statement_timeout() == "5s"
        assert await statement_timeout() == "1234s"
        with suppress(asyncpg.QueryCanceledError):
            async with statements_within(SHORT):
                await db.execute("SELECT pg_sleep(60)")
        assert await statement_timeout() == "1234s"
    async with transaction():
        async with statements_within(5):
            pass
        assert await statement_timeout() == usual
    assert await statement_timeout() == usual


async def test_a_longer_time_is_the_clients_too(
    wire: tuple[str, Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pool that waits for an answer for a fifth of a second runs a statement that takes longer."""
    monkeypatch.setattr(bounded_pool, "ANSWER_GRACE_SECONDS", 0.0)
    url, _ = wire
    async with a_pool(url, size=1) as pool:
        connection = await pool.acquire()
        token = bounded_pool.statement_seconds.set(30)
        try:
            await connection.execute("SELECT pg_sleep(0.4)")
        finally:
            bounded_pool.statement_seconds.reset(token)
        await pool.release(connection)
