"""The open database that a command works with."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

ALWAYS_LOOKED_UP = "core.organizations.models"


@asynccontextmanager
async def database(org: str | None = None) -> AsyncIterator[None]:
    """Open the service's database for one command.

    `org`: what the command is about. In the shell any id can be written: raises NoSuchOrganization,
    where else a slip of the pen would read like an empty list, or be stored.
    """
    import structlog

    from core.foundation import settings
    from core.foundation.database import db
    from core.foundation.database.bounded_pool import COMMAND
    from core.foundation.observability import logs

    if (
        not structlog.is_configured()
    ):  # else lines of libraries and providers would stand beside the answer
        logs.configure("error")
    imported = {name for name in db.MODEL_MODULES if name in sys.modules}
    await db.open_database(
        settings.current(), bounds=COMMAND, model_modules=sorted(imported | {ALWAYS_LOOKED_UP})
    )
    try:
        if org is not None:
            await _look_up(org)
        yield
    finally:
        await db.close_database()


def models_imported(module: str) -> None:
    """Let the open database know the models of a module that was imported after it was opened."""
    db = sys.modules.get("core.foundation.database.db")
    if db is not None and module in getattr(db, "MODEL_MODULES", ()):
        db.add_models(module)


async def _look_up(org: str) -> None:
    from core.organizations import NoSuchOrganization, Organization

    if not await Organization.filter(id=org).exists():
        raise NoSuchOrganization
