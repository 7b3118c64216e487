"""Transactions that take tables for themselves, for a moment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.transactions import statements_within

LOCK_TIMEOUT = "1500ms"
"""How long one queues for a table: whoever wants it meanwhile waits behind."""


@asynccontextmanager
async def brief_locks() -> AsyncIterator[None]:
    """A transaction that gives up waiting for locks soon (asyncpg.LockNotAvailableError), but may
    work for long.
    """
    async with statements_within(LONG_SECONDS):
        await db.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        yield
