"""The open database that a command works with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def database() -> AsyncIterator[None]:
    """Open the service's database for one command."""
    from core.foundation import db, settings

    await db.open_database(settings.current())
    try:
        yield
    finally:
        await db.close_database()
