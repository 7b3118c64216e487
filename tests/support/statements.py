"""The statements that a test makes the database run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asyncpg.connection import LoggedQuery
from tortoise.connection import get_connection

NOT_OURS = ("svc_first_use", "typeinfo_tree", "current_setting('jit')", "set_config('jit'")


@asynccontextmanager
async def statements() -> AsyncIterator[list[str]]:
    """What runs inside, in its order, in the transaction that is around the test; without the savepoint
    that a statement has before its first use on Citus, and without what asyncpg asks when it first meets a
    type.
    """
    run: list[str] = []

    def note(query: LoggedQuery) -> None:
        if not any(one in query.query for one in NOT_OURS):
            run.append(query.query)

    async with get_connection(
        "default"
    ).acquire_connection() as held:  # let go at once: others need it too
        connection = held
    connection.add_query_logger(note)
    try:
        yield run
        await asyncio.sleep(0)  # asyncpg tells its loggers in the next round of the loop
    finally:
        connection.remove_query_logger(note)
