"""All or nothing, what waits for the commit, and a pool that stays whole whatever fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg
import pytest
from asyncpg.transaction import Transaction
from tortoise.backends.asyncpg.client import TransactionWrapper
from tortoise.connection import get_connection

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.bounded_pool import BoundedClient
from core.foundation.database.transactions import after_commit, outside_transaction, transaction
from core.foundation.ids import new_id
from core.organizations import Organization


class Refusal(Exception):
    """Ends a block."""


async def a_row(name: str = "a row") -> str:
    organization = await Organization.create(id=new_id("org"), name=name, created_at=now())
    return organization.id


async def names() -> list[str]:
    return sorted(row["name"] for row in await db.fetch("SELECT name FROM organizations"))


def noting(notes: list[str], text: str) -> Callable[[], Awaitable[None]]:
    async def note() -> None:
        notes.append(text)

    return note


def pool() -> "asyncpg.Pool[Any]":
    client = get_connection("default")
    assert type(client) is BoundedClient, "a transaction is still current"
    assert client._pool is not None
    return client._pool


# Blocks


async def test_a_block_that_ends_well_stands(clean_slate: None) -> None:
    async with transaction():
        await a_row("kept")

    assert await names() == ["kept"]


async def test_a_block_that_fails_leaves_nothing(clean_slate: None) -> None:
    with pytest.raises(Refusal):
        async with transaction():
            await a_row()
            raise Refusal

    assert await names() == []


async def test_a_block_inside_fails_alone(clean_slate: None) -> None:
    async with transaction():
        await a_row("before")
        with pytest.raises(Refusal):
            async with transaction():
                await a_row("inside")
                raise Refusal
        await a_row("after")

    assert await names() == ["after", "before"]


async def test_a_block_around_takes_the_inner_one_down_with_it(clean_slate: None) -> None:
    with pytest.raises(Refusal):
        async with transaction():
            async with transaction():
                await a_row()
            raise Refusal

    assert await names() == []


async def test_a_failed_statement_inside_leaves_the_outer_block_usable(clean_slate: None) -> None:
    async with transaction():
        await a_row("before")
        with pytest.raises(asyncpg.DivisionByZeroError):
            async with transaction():
                await db.execute("SELECT 1 / 0")
        await a_row("after")

    assert await names() == ["after", "before"]


async def test_tasks_gathered_inside_belong_to_the_block(clean_slate: None) -> None:
    with pytest.raises(Refusal):
        async with transaction():
            await asyncio.gather(*(a_row() for _ in range(5)))
            raise Refusal

    assert await names() == []


async def test_a_task_outside_sees_and_keeps_only_what_is_committed(real_commits: None) -> None:
    async def elsewhere() -> list[str]:
        seen = await names()
        await a_row("elsewhere")
        return seen

    with pytest.raises(Refusal):
        async with transaction():
            await a_row("inside")
            seen = await asyncio.create_task(elsewhere(), context=outside_transaction())
            raise Refusal

    assert seen == []
    assert await names() == ["elsewhere"]


# Effects


async def test_an_effect_outside_a_block_runs_at_once(clean_slate: None) -> None:
    notes: list[str] = []

    await after_commit(noting(notes, "at once"))

    assert notes == ["at once"]


async def test_effects_run_after_the_outermost_block_in_the_order_of_their_causes(
    clean_slate: None,
) -> None:
    notes: list[str] = []
    async with transaction():
        await after_commit(noting(notes, "first"))
        async with transaction():
            await after_commit(noting(notes, "second"))
            async with transaction():
                await after_commit(noting(notes, "third"))
        await after_commit(noting(notes, "fourth"))
        assert notes == []

    assert notes == ["first", "second", "third", "fourth"]


async def test_effects_of_a_block_that_fails_are_dropped_with_it(clean_slate: None) -> None:
    notes: list[str] = []
    async with transaction():
        await after_commit(noting(notes, "outer"))
        with pytest.raises(Refusal):
            async with transaction():
                async with transaction():
                    await after_commit(noting(notes, "innermost"))
                raise Refusal

    assert notes == ["outer"]


async def test_no_effect_of_a_block_that_fails_as_a_whole_runs(clean_slate: None) -> None:
    notes: list[str] = []
    with pytest.raises(Refusal):
        async with transaction():
            async with transaction():
                await after_commit(noting(notes, "inner"))
            await after_commit(noting(notes, "outer"))
            raise Refusal

    assert notes == []
    await after_commit(noting(notes, "the next one runs at once"))
    assert notes == ["the next one runs at once"]


async def test_an_effect_sees_the_committed_rows_and_no_open_block(real_commits: None) -> None:
    seen: list[Any] = []

    async def look() -> None:
        pool()  # asserts that no transaction is current
        seen.extend(await asyncio.create_task(names(), context=outside_transaction()))

    async with transaction():
        await a_row("committed")
        await after_commit(look)

    assert seen == ["committed"]


async def test_no_effect_runs_when_the_commit_itself_fails(real_commits: None) -> None:
    notes: list[str] = []
    idle = pool().get_idle_size()
    with pytest.raises(asyncpg.UniqueViolationError):
        async with transaction():
            await a_row()
            await db.execute(
                "CREATE TEMP TABLE twice (n int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP; "
                "INSERT INTO twice VALUES (1), (1)"
            )
            await after_commit(noting(notes, "told"))

    assert notes == []
    assert await names() == []
    assert pool().get_idle_size() == idle


async def test_what_an_effect_registers_runs_too(clean_slate: None) -> None:
    notes: list[str] = []

    async def and_then() -> None:
        notes.append("effect")
        await after_commit(noting(notes, "effect of the effect"))

    async with transaction():
        await after_commit(and_then)

    assert notes == ["effect", "effect of the effect"]


async def test_an_effect_that_fails_does_not_undo_the_block(real_commits: None) -> None:
    async def fail() -> None:
        raise Refusal

    with pytest.raises(Refusal):
        async with transaction():
            await a_row("kept")
            await after_commit(fail)

    assert await names() == ["kept"]


# A pool that stays whole


@pytest.fixture
async def whole_pool(real_commits: None) -> AsyncIterator[None]:
    """After the test no connection is missing and no transaction is current."""
    await db.fetchval("SELECT 1")
    before = pool().get_size() - pool().get_idle_size()
    yield
    assert pool().get_size() - pool().get_idle_size() == before == 0
    async with transaction():
        assert await db.fetchval("SELECT 1") == 1


async def test_a_begin_that_fails_leaks_no_connection(
    whole_pool: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(self: Transaction) -> None:
        raise asyncpg.ConnectionDoesNotExistError(
            "connection was closed in the middle of operation"
        )

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "start", cut_off)
        for _ in range(pool().get_max_size() + 1):
            with pytest.raises(asyncpg.ConnectionDoesNotExistError):
                async with transaction():
                    pytest.fail("the block must not run")

    assert not isinstance(get_connection("default"), TransactionWrapper)


async def test_a_begin_that_is_cancelled_leaks_no_connection(
    whole_pool: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def hang(self: Transaction) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def block() -> None:
        async with transaction():
            pytest.fail("the block must not run")

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "start", hang)
        task = asyncio.create_task(block())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_block_that_is_cancelled_in_a_statement_leaves_nothing(whole_pool: None) -> None:
    inside = asyncio.Event()

    async def block() -> None:
        async with transaction():
            await a_row()
            inside.set()
            await db.execute("SELECT pg_sleep(60)")

    task = asyncio.create_task(block())
    await inside.wait()
    await asyncio.sleep(0)  # into the statement
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await names() == []


async def test_what_ended_a_block_is_told_even_when_its_connection_is_gone(
    whole_pool: None,
) -> None:
    with pytest.raises(Refusal):
        async with transaction():
            await a_row()
            backend = await db.fetchval("SELECT pg_backend_pid()")
            await asyncio.create_task(
                db.fetchval("SELECT pg_terminate_backend($1::int)", backend),
                context=outside_transaction(),
            )
            raise Refusal

    assert await names() == []


async def test_a_commit_on_a_lost_connection_fails_and_runs_no_effect(whole_pool: None) -> None:
    notes: list[str] = []
    with pytest.raises(Exception) as lost:  # noqa: PT011 - asyncpg has four ways to say it
        async with transaction():
            await a_row()
            await after_commit(noting(notes, "told"))
            backend = await db.fetchval("SELECT pg_backend_pid()")
            await asyncio.create_task(
                db.fetchval("SELECT pg_terminate_backend($1::int)", backend),
                context=outside_transaction(),
            )

    assert is_outage(lost.value)
    assert notes == []
    assert await names() == []


async def test_a_connection_that_cannot_be_given_back_does_not_stay_current(
    real_commits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = type(pool()).release

    async def released_and_lost(self: Any, connection: Any, **options: Any) -> None:
        await release(self, connection, **options)
        raise asyncpg.ConnectionDoesNotExistError(
            "connection was closed in the middle of operation"
        )

    with monkeypatch.context() as patched:
        patched.setattr(type(pool()), "release", released_and_lost)
        with pytest.raises(asyncpg.ConnectionDoesNotExistError):
            async with transaction():
                await a_row("committed")

    pool()  # asserts that no transaction is current
    assert await names() == ["committed"]
