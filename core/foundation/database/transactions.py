"""All-or-nothing blocks, and effects that wait for the commit."""

import contextvars
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar

from tortoise.connection import get_connection, get_connections
from tortoise.transactions import in_transaction

from core.foundation.database import db
from core.foundation.database.bounded_pool import milliseconds, statement_seconds
from core.foundation.database.cell import context_of_cell

Callback = Callable[[], Awaitable[None]]

_waiting: ContextVar[list[Callback] | None] = ContextVar("waiting_for_commit", default=None)


@asynccontextmanager
async def transaction() -> AsyncIterator[None]:
    """All or nothing. A block inside a block is a savepoint of the outer one.

    Effects handed to `after_commit` inside run once the outermost block has committed; those of a
    block that is rolled back are dropped with it.
    """
    callbacks: list[Callback] = []
    token = _waiting.set(callbacks)
    try:
        async with _entered():
            yield
    finally:
        _waiting.reset(token)
    for callback in callbacks:
        await after_commit(callback)


@asynccontextmanager
async def _entered() -> AsyncIterator[None]:
    block = in_transaction("default")
    client = get_connection("default")
    try:
        await block.__aenter__()
    except BaseException:
        # Tortoise leaks the pooled connection and keeps it current when BEGIN itself fails (a
        # server that restarts under load): give it back, or the pool runs dry.
        await _abandon(block, client)
        raise
    try:
        yield
    except BaseException as error:
        # Tortoise skips the rollback for its own management error; asyncpg's release ends the
        # transaction then. The rollback of a connection that is gone fails in its turn; what ended
        # the block is told all the same.
        with suppress(Exception):
            await block.__aexit__(type(error), error, error.__traceback__)
        raise
    else:
        await block.__aexit__(None, None, None)
    finally:
        _leave(block)


def _leave(block: object) -> None:
    """Tortoise keeps the block current when giving its connection back fails: a loop would never
    get out of it.
    """
    token = getattr(block, "token", None)
    if token is not None and not token._used:  # noqa: SLF001 - nothing public tells
        get_connections().reset(token)


async def _abandon(block: object, client: object) -> None:
    token = getattr(block, "token", None)
    if token is None:
        return
    pool = getattr(client, "_pool", None)
    wrapper = getattr(block, "client", None)
    get_connections().reset(token)
    if pool is not None and wrapper is not None:
        await pool.release(wrapper._connection)  # noqa: SLF001 - nothing public gives it back


@asynccontextmanager
async def statements_within(seconds: float) -> AsyncIterator[None]:
    """A `transaction` each of whose statements may take this long instead of SVC_STATEMENT_SECONDS,
    more or fewer.

    What takes longer is cancelled: asyncpg.QueryCanceledError.
    """
    before = statement_seconds.get()
    async with transaction():
        await db.execute(f"SET LOCAL statement_timeout = {milliseconds(seconds)}")
        token = statement_seconds.set(seconds)
        try:
            yield
        finally:
            statement_seconds.reset(token)
        # A block around this one goes on; where ours fails, its savepoint brings the time back.
        usual = "DEFAULT" if before is None else milliseconds(before)
        await db.execute(f"SET LOCAL statement_timeout TO {usual}")


async def after_commit(callback: Callback) -> None:
    """Run now, or, inside a transaction, once the outermost one has committed."""
    waiting = _waiting.get()
    if waiting is None:
        await callback()
    else:
        waiting.append(callback)


def outside_transaction() -> contextvars.Context:
    """A fresh context for a background task, in the same cell: a task that inherits ours would
    write inside our transaction.
    """
    return context_of_cell()
