"""The statements that a test makes the database run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asyncpg.connection import LoggedQuery
from tortoise.connection import get_connection


@asynccontextmanager
async def statements() -> AsyncIterator[list[str]]:
    """What runs inside, in its order, in the transaction that is around the test; without the savepoint
    that a statement has before its first use on Citus.
    """
    run: list[str] = []

    def note(query: LoggedQuery) -> None:
        if "svc_first_use" not in query.query:
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
