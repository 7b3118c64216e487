"""The transaction around a test: nothing of one test reaches the next."""

import asyncio
import os
from typing import Any

import pytest

from core.foundation.database import db
from tests.support import slates
from tests.support.slates import LeftBusy, rolled_back
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("database")

ASKED = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = $1"


async def left_behind(sql: str) -> "asyncio.Task[Any]":
    """A statement that is under way on the connection of the test, and that nobody waits for."""
    async with db.connected_apart(os.environ["DATABASE_URL"]) as other:
        task = asyncio.create_task(db.fetchval(sql))
        await eventually(lambda: other.fetchval(ASKED, sql), "it is asked")
    return task


async def the_next_one_works() -> None:
    async with rolled_back():
        assert await db.fetchval("SELECT 1") == 1
    assert await db.fetchval("SELECT 2") == 2


async def test_a_test_that_leaves_its_connection_busy_is_told_and_the_next_has_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slates, "BUSY_SECONDS", 0)
    with pytest.raises(LeftBusy):
        async with rolled_back():
            task = await left_behind("SELECT pg_sleep(3600)")

    await the_next_one_works()
    await asyncio.wait({task})
    assert task.exception() is not None, "its connection is closed"


async def test_what_a_test_gives_up_at_its_end_is_waited_for() -> None:
    async with rolled_back():
        (await left_behind("SELECT pg_sleep(3600)")).cancel()

    await the_next_one_works()
