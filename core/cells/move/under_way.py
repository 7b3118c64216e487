"""Working for an organization that is being moved: where it lives is asked at each call, and writes wait
while nobody may write.

Of all others nothing is asked.
"""

import asyncio
import time

from core.cells.directory import cell_of, forget_place, is_moving
from core.cells.move.models import MoveStep
from core.foundation.database import db
from core.foundation.database.availability import DatabaseAway
from core.foundation.database.cell import HOME, Cell, enter_cell, use_cell
from core.foundation.database.transactions import outside_transaction

WAIT_SECONDS = 5.0
"""How long a write waits."""
ASK_SECONDS = 0.05
"""How old the answer to where a move stands may be: all that wait share it."""

CLOSED = (MoveStep.CLOSING, MoveStep.SWITCHING)

_answers: dict[str, tuple[float, "asyncio.Task[MoveStep | None]"]] = {}


async def follow(organization_id: str) -> None:
    """Let the rest of this context use the cell in which an organization lives now."""
    if is_moving(organization_id):
        await _step(organization_id)
        enter_cell(await cell_of(organization_id))


async def wait_to_write(organization_id: str) -> None:
    """The same before something is written; while the organization is between two cells it waits.
    Raises DatabaseAway when that takes too long.
    """
    if is_moving(organization_id):
        enter_cell(await cell_to_write(organization_id))


async def cell_to_write(organization_id: str) -> Cell:
    """Where an organization lives, once it may be written to. Raises DatabaseAway when that takes too long."""
    if is_moving(organization_id):
        until = time.monotonic() + WAIT_SECONDS
        while await _step(organization_id) in CLOSED:
            if time.monotonic() > until:
                raise DatabaseAway
            await asyncio.sleep(ASK_SECONDS)
    return await cell_of(organization_id)


async def come_after(organization_id: str) -> None:
    """Let the rest of this context use the cell in which an organization lives now, where something has
    taken so long that it may have moved meanwhile, a body that came slowly for instance; wait as
    `wait_to_write` does.
    """
    enter_cell(await cell_to_write(organization_id))


async def _step(organization_id: str) -> MoveStep | None:
    """Where the move stands; once it has switched, no older place is relied on."""
    asked_at, answer = _answers.get(organization_id, (0.0, None))
    if answer is None or asked_at + ASK_SECONDS < time.monotonic():
        answer = asyncio.create_task(_ask(organization_id), context=outside_transaction())
        _answers[organization_id] = time.monotonic(), answer
    step = await asyncio.shield(answer)
    if step is None or step in (MoveStep.SWITCHED, MoveStep.REMOVING):
        forget_place(organization_id)
    return step


async def _ask(organization_id: str) -> MoveStep | None:
    with use_cell(HOME):
        step = await db.fetchval(STEP, organization_id)
    if step is None:
        _answers.pop(organization_id, None)
    return None if step is None else MoveStep(step)


# A gate that is being closed opens by itself after five seconds: whoever closed it and is still there would
# have said how it came out.
STEP = """
SELECT CASE WHEN step = 'closing' AND changed_at < clock_timestamp() - interval '6 seconds' THEN 'catching_up'
       ELSE step END
FROM organization_moves WHERE organization_id = $1 AND ended_at IS NULL ORDER BY id DESC LIMIT 1
"""
