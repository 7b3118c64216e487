"""The open database that a command works with."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Any

ALWAYS_LOOKED_UP = "core.organizations.models"


@asynccontextmanager
async def database(
    org: str | None = None, *, lives: str | None = None, row: tuple[str, str] | None = None
) -> AsyncIterator[None]:
    """Open the service's database for one command; where the command is about one organization, that
    of its cell.

    `org`: the one it is about. In the shell any id can be written: raises NoSuchOrganization, where
    else a slip of the pen would read like an empty list, or be stored. `lives`: the same, where the
    use case itself refuses an id that is none. `row`: a table and the id of a row of the organization.
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
        with await _cell(org or lives, row):
            if org is not None:
                await _look_up(org)
            yield
    finally:
        await db.close_database()


async def every_item(
    page_of: Callable[[Any], Awaitable[Mapping[str, Any]]], filter: Callable[..., object]
) -> dict[str, object]:
    """What all pages of a list hold."""
    page = await page_of(filter())
    items = list(page["items"])
    while cursor := page.get("nextCursor"):
        page = await page_of(filter(cursor=cursor))
        items += page["items"]
    return {"items": items}


async def _cell(org: str | None, row: tuple[str, str] | None) -> AbstractContextManager[None]:
    """The cell that the command works with; the home unless it is about an organization of another."""
    from core import cells

    if row is not None:
        table, id = row
        return cells.use_cell(
            await cells.cell_with(f"SELECT organization_id FROM {table} WHERE id = $1", id)
        )
    return nullcontext() if org is None else cells.use_cell(await cells.cell_of(org))


def models_imported(module: str) -> None:
    """Let the open database know the models of a module that was imported after it was opened."""
    db = sys.modules.get("core.foundation.database.db")
    if db is not None and module in getattr(db, "MODEL_MODULES", ()):
        db.add_models(module)


async def _look_up(org: str) -> None:
    from core.organizations import NoSuchOrganization, Organization

    if not await Organization.filter(id=org).exists():
        raise NoSuchOrganization
