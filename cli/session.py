"""The open database that a command works with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def database(org: str | None = None) -> AsyncIterator[None]:
    """Open the service's database for one command.

    `org`: what the command is about. In the shell any id can be written: raises NoSuchOrganization, where else a
    slip of the pen would read like an empty list, or be stored.
    """
    import structlog

    from core.foundation import db, logs, settings

    if not structlog.is_configured():  # else lines of libraries and providers would stand beside the answer
        logs.configure("error")
    await db.open_database(settings.current())
    try:
        if org is not None:
            await _look_up(org)
        yield
    finally:
        await db.close_database()


async def _look_up(org: str) -> None:
    from core.organizations import NoSuchOrganization, Organization

    if not await Organization.filter(id=org).exists():
        raise NoSuchOrganization
