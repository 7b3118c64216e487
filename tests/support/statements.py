"""The statements that PostgreSQL is asked for while a test does something."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asyncpg.connection import LoggedQuery
from tortoise.backends.asyncpg.client import AsyncpgDBClient
from tortoise.connection import get_connection


@asynccontextmanager
async def statements() -> AsyncIterator[list[str]]:
    """Yields the list that they are put into. For tests with a clean slate, whose statements share one connection."""
    client = get_connection("default")
    assert isinstance(client, AsyncpgDBClient)
    async with client.acquire_connection() as connection:
        pass
    asked: list[str] = []

    def note(query: LoggedQuery) -> None:
        asked.append(query.query)

    connection.add_query_logger(note)
    try:
        yield asked
        await asyncio.sleep(0)  # asyncpg tells its loggers in the next round of the loop
    finally:
        connection.remove_query_logger(note)
