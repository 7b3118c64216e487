"""Heavy work: it keeps to a pool of its own, in which one organization has few places."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tortoise.connection import get_connection

from core.foundation import settings
from core.foundation.database import db
from core.foundation.database.bounded_pool import BoundedClient, owner
from core.foundation.database.heavy_work import TooMuchAtOnce, heavy_work
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, system_caller
from core.organizations import Organization
from tests.support.counted import counted
from tests.support.races import outside
from tests.support.waiting import eventually

A, B = system_caller("org_a", "test"), system_caller("org_b", "test")
MANY = 12
LOCK = 4_711
WAITING = (
    f"SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = {LOCK}"
)
BACKEND = "SELECT pg_backend_pid()"


@pytest.fixture
def heavy(database: None) -> BoundedClient:
    client = get_connection(db.HEAVY)
    assert isinstance(client, BoundedClient)
    assert client.each is not None
    assert client.each < client.pool_maxsize, "one organization must not have all of it"
    return client


@asynccontextmanager
async def a_lock_held() -> AsyncIterator[None]:
    """A lock that every `stuck` waits for."""
    async with db.connected_apart(settings.current().database_url) as connection:
        await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
        yield


async def at_the_lock(count: int) -> None:
    """Until so many statements wait for the lock. It asks on the usual pool, as a send would."""

    async def look() -> bool:
        waiting: int = await outside(db.fetchval(WAITING))
        return waiting == count

    await eventually(look, f"{count} statements wait for the lock", every=0.005)


async def stuck(caller: Caller, *, at_once: int = 1) -> None:
    """A heavy read that takes for ever."""
    async with heavy_work(caller):
        await asyncio.gather(
            *(db.fetchval("SELECT pg_advisory_xact_lock($1)", LOCK) for _ in range(at_once))
        )


async def backend_of(caller: Caller) -> int:
    async with heavy_work(caller):
        backend: int = await db.fetchval(BACKEND)
        return backend


async def nothing_is_left(heavy: BoundedClient) -> None:
    """Every place and connection is free again."""
    assert heavy.each is not None
    places = heavy.work
    assert (places.taken_by(A.organization_id), places.waiting_of(A.organization_id)) == (0, 0)
    async with a_lock_held():
        tasks = [outside(stuck(caller)) for caller in (A, B) for _ in range(heavy.each)]
        await at_the_lock(2 * heavy.each)
    await asyncio.gather(*tasks)


async def test_one_organization_never_has_all_connections_and_another_passes(
    heavy: BoundedClient,
) -> None:
    assert heavy.each is not None
    async with a_lock_held():
        tasks = [outside(stuck(A)) for _ in range(MANY)]
        await at_the_lock(heavy.each)

        assert await outside(backend_of(B)) > 0
        assert await outside(db.fetchval("SELECT 1")) == 1
        await at_the_lock(heavy.each)
        assert heavy.work.waiting_of(A.organization_id) == MANY - heavy.each
    await asyncio.gather(*tasks)
    await nothing_is_left(heavy)


async def test_nor_by_the_statements_of_one_piece_of_work(heavy: BoundedClient) -> None:
    assert heavy.each is not None
    async with a_lock_held():
        work = outside(stuck(A, at_once=MANY))
        await at_the_lock(heavy.each)

        assert await outside(backend_of(B)) > 0
    await work
    await nothing_is_left(heavy)


async def test_who_waits_too_long_is_refused_and_may_come_again(
    heavy: BoundedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert heavy.each is not None
    async with a_lock_held():
        tasks = [outside(stuck(A)) for _ in range(heavy.each)]
        await at_the_lock(heavy.each)
        monkeypatch.setattr(heavy, "place_seconds", 0.001)

        with counted("svc_rate_limited") as turned_away, pytest.raises(TooMuchAtOnce) as refusal:
            await outside(backend_of(A))
    await asyncio.gather(*tasks)

    assert refusal.value.retry_after == 1
    assert turned_away == {("svc_rate_limited_total", "heavy"): 1}
    await nothing_is_left(heavy)


async def test_who_is_cancelled_leaves_no_place_taken(heavy: BoundedClient) -> None:
    assert heavy.each is not None
    async with a_lock_held():
        tasks = [outside(stuck(A)) for _ in range(MANY)]
        await at_the_lock(heavy.each)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await at_the_lock(0)

    await nothing_is_left(heavy)


async def test_inside_a_transaction_it_is_part_of_that(
    clean_slate: None, heavy: BoundedClient
) -> None:
    await Organization.create(id="org_a", name="One", created_at="2030-01-01T00:00:00Z")
    usual = await db.fetchval(BACKEND)

    async with heavy_work(A):
        assert await db.fetchval(BACKEND) == usual
        assert await db.fetchval("SELECT name FROM organizations WHERE id = 'org_a'") == "One"
        assert not owner.get()


async def test_a_transaction_inside_is_of_the_heavy_pool_and_everything_joins_it(
    real_commits: None, heavy: BoundedClient
) -> None:
    with pytest.raises(ZeroDivisionError):
        async with heavy_work(A), transaction():
            backend = await db.fetchval(BACKEND)
            await Organization.create(id="org_a", name="One", created_at="2030-01-01T00:00:00Z")
            async with heavy_work(A):
                assert {await db.fetchval(BACKEND), (await db.fetch_planned(BACKEND))[0][0]} == {
                    backend
                }
            [pool] = [pool for pool in db.pools() if pool.name == db.HEAVY]
            assert pool.in_use == 1
            raise ZeroDivisionError

    assert not await Organization.exists()
    assert not owner.get()
    await nothing_is_left(heavy)


async def test_work_inside_heavy_work_takes_no_second_place(heavy: BoundedClient) -> None:
    assert heavy.each is not None

    async def nested() -> None:
        async with heavy_work(A), heavy_work(A):
            await db.fetchval("SELECT 1")

    await asyncio.gather(*(outside(nested()) for _ in range(heavy.each + 1)))


async def test_what_is_started_beside_it_uses_the_usual_connections(heavy: BoundedClient) -> None:
    async with heavy_work(A):
        await db.fetchval("SELECT 1")
        assert await outside(_owner_and_pool()) == ("", settings.current().database_pool)


async def _owner_and_pool() -> tuple[str, int]:
    client = get_connection("default")
    assert isinstance(client, BoundedClient)
    return owner.get(), client.pool_maxsize
