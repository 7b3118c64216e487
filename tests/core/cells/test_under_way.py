"""What entry points do for an organization that is moved: they ask where it lives, and writes wait."""

import asyncio

import pytest

from core import cells
from core.cells.move.models import MoveStep
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.availability import DatabaseAway
from core.foundation.database.cell import enter_cell

ORG = "org_moving"
BEGIN = (
    "INSERT INTO organization_moves (organization_id, source, target, step, began_at, changed_at) "
    "VALUES ($1, 'main', 'south', 'copying', $2, $2)"
)


async def note(step: MoveStep, *, ended: bool = False) -> None:
    """As whoever moves it does, in another process."""
    await db.execute(
        "UPDATE organization_moves SET step = $1, ended_at = CASE WHEN $2 THEN now() END, "
        "changed_at = clock_timestamp()",
        step,
        ended,
    )


async def test_writes_wait_and_reads_follow(
    south: cells.Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.cells.move.under_way.ASK_SECONDS", 0.01)
    await db.execute(BEGIN, ORG, real_now())
    await cells.wait_to_write(ORG)  # nobody has told this process
    assert cells.current() == cells.HOME
    await cells.learn_cells()
    assert await cells.cell_of(ORG) == cells.HOME

    await cells.wait_to_write(ORG)
    assert cells.current() == cells.HOME
    await note(MoveStep.CLOSING)
    await asyncio.sleep(0.02)
    await cells.follow(ORG)
    assert cells.current() == cells.HOME
    with monkeypatch.context() as patched:
        patched.setattr("core.cells.move.under_way.WAIT_SECONDS", 0.05)
        with pytest.raises(DatabaseAway):
            await cells.wait_to_write(ORG)
    await db.execute("UPDATE organization_moves SET changed_at = now() - interval '7 seconds'")
    await asyncio.sleep(0.02)
    await cells.wait_to_write(ORG)  # whoever closed the gate has died: it has opened by itself
    await note(MoveStep.CLOSING)
    await asyncio.sleep(0.02)
    waiting = asyncio.create_task(entered_after_waiting())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await note(MoveStep.SWITCHING)
    await cells.place(ORG, south)
    await note(MoveStep.SWITCHED)
    assert await waiting == south
    await cells.follow(ORG)
    assert cells.current() == south
    enter_cell(cells.HOME)
    await note(MoveStep.DONE, ended=True)
    await asyncio.sleep(0.02)
    await cells.wait_to_write(ORG)
    assert cells.current() == south
    enter_cell(cells.HOME)
    await cells.learn_cells()
    assert not cells.is_moving(ORG)


async def entered_after_waiting() -> cells.Cell:
    await cells.wait_to_write(ORG)
    return cells.current()
