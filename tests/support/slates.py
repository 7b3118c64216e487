"""A transaction around what tests do, which is rolled back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
from tortoise.transactions import in_transaction

from core.organizations import clear_credential_cache

BUSY_SECONDS = 10.0
"""How long what a test gave up may take to end."""


class LeftBusy(Exception):
    """A test ended while something of it was still asking on its connection."""


@asynccontextmanager
async def rolled_back() -> AsyncIterator[None]:
    """What happens inside is undone. Around several tests: each of them has a transaction of its own inside.

    Raises LeftBusy for the test that it is the fault of; those that follow get a connection that is whole.
    """
    clear_credential_cache()
    async with in_transaction("default") as block:
        try:
            yield
        finally:
            await _undo(block)


async def _undo(block: Any) -> None:
    """Roll back as soon as the connection is free. One that stays busy is closed: its rollback would fail, and
    Tortoise then keep it as the connection of every test that follows.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + BUSY_SECONDS
    while not await _is_free(block._connection):
        if clock() > until:
            with suppress(asyncpg.InterfaceError):  # it is closed already
                block._connection.terminate()
            block._finalized = True
            raise LeftBusy("end what the test has begun, or wait for its end")
        await asyncio.sleep(0.01)
    await block.rollback()


async def _is_free(connection: Any) -> bool:
    """Whether it takes a statement; that of a transaction that has failed is taken, and refused."""
    try:
        with suppress(asyncpg.PostgresError):
            await connection.execute("SELECT")
    except asyncpg.InterfaceError:
        return False
    return True
