"""The cells that a worker drains: each by itself, begun when it is listed and ended when it is not."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from core import cells
from core.cells import HOME, Cell
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause

LOOK_SECONDS = 3.0
"""How often the list of cells is compared with what is at work."""
RETRY_SECONDS = 2.0
"""After which a cell that is away is tried again."""

Work = Callable[[Cell, asyncio.Event], Coroutine[Any, Any, None]]

log = structlog.get_logger()


class CellsAtWork:
    """Begins and ends the work in each cell, in a group of tasks. The home's failures at the start are
    the group's; what is away of another cell holds up nobody.
    """

    def __init__(self, group: asyncio.TaskGroup, work: Work) -> None:
        self._group = group
        self._work = work
        self._ends: dict[Cell, asyncio.Event] = {}

    async def keep_up(self, names: frozenset[str], stop: asyncio.Event) -> None:
        """Work in the cells of these names, or in all, until `stop`."""
        while not stop.is_set():
            listed = [cell for cell in await _listed() if not names or cell.name in names]
            for cell in [one for one in self._ends if one not in listed]:
                self._ends.pop(cell).set()
            for cell in listed:
                if cell not in self._ends:
                    self._begin(cell)
            await pause(LOOK_SECONDS, until=stop)
        for end in self._ends.values():
            end.set()

    def _begin(self, cell: Cell) -> None:
        end = self._ends[cell] = asyncio.Event()
        with cells.use_cell(cell):
            self._group.create_task(
                self._work(cell, end) if cell == HOME else self._keep(cell, end)
            )

    async def _keep(self, cell: Cell, end: asyncio.Event) -> None:
        """Work there, and begin again after a failure."""
        structlog.contextvars.bind_contextvars(cell=cell.name)
        while not end.is_set():
            try:
                await self._work(cell, end)
            except Exception as error:
                if is_outage(error):
                    tell_outage("cell_away", error, cell=cell.name)
                else:
                    log.exception("cell_failed")
                await pause(RETRY_SECONDS, until=end)


async def _listed() -> list[Cell]:
    """The cells as they are known; an outage of the home changes nothing."""
    try:
        return await cells.every_cell()
    except Exception as error:
        tell_outage("cells_not_read", error)
        return [HOME, *(one.cell for one in cells.as_known().values())]
