"""How each cell fares: whether it answers, and whether its schema is the newest."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core import cells
from core.cells import HOME, Cell
from core.foundation.database import schema
from core.operations.queues import QUEUES, Backlog, DueQueue, measure_queues

ANSWER_SECONDS = 2.0
PATIENT_SECONDS = 10.0
"""For whoever asks once, in the shell: a new process opens its first connection to each, on a busy machine."""

Look = Callable[[Cell], Awaitable["CellStatus"]]


@dataclass(frozen=True, slots=True)
class CellStatus:
    """A cell besides the home. `pending`: the migrations that it lacks. Of one that is away, nothing
    more is known.
    """

    name: str
    is_up: bool
    pending: list[str] = field(default_factory=list)
    queues: list[Backlog] = field(default_factory=list)


async def look_into_cells(*, within: float = ANSWER_SECONDS) -> list[CellStatus]:
    """All cells besides the home at once, each for so many seconds; none without cells."""
    return await _of_each(_look, within)


async def measure_cells(queues: Sequence[DueQueue] = QUEUES, *, at: datetime) -> list[CellStatus]:
    """The same with their queues, without their schema."""

    async def measure(cell: Cell) -> CellStatus:
        return CellStatus(cell.name, True, queues=await measure_queues(queues, at=at))

    return await _of_each(measure, ANSWER_SECONDS)


async def _of_each(look: Look, within: float) -> list[CellStatus]:
    others = [cell for cell in await cells.every_cell() if cell != HOME]
    return list(await asyncio.gather(*(_for_a_moment(look, cell, within) for cell in others)))


async def _for_a_moment(look: Look, cell: Cell, within: float) -> CellStatus:
    try:
        async with asyncio.timeout(within):
            with cells.use_cell(cell):
                return await look(cell)
    except Exception:  # whatever it is, it does not serve
        return CellStatus(cell.name, False)


async def _look(cell: Cell) -> CellStatus:
    return CellStatus(cell.name, True, await schema.pending())
