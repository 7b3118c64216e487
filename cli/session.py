"""The open database that a command works with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def database() -> AsyncIterator[None]:
    """Open the service's database for one command."""
    import structlog

    from core.foundation import db, logs, settings

    if not structlog.is_configured():  # else lines of libraries and providers would stand beside the answer
        logs.configure("error")
    await db.open_database(settings.current())
    try:
        yield
    finally:
        await db.close_database()
