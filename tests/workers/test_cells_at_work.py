"""The cells of a worker: each begun when it is listed, tried again while it is away, ended when it is gone."""

import asyncio

import pytest

from core import cells
from core.cells import HOME, Cell
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.jobs import Job
from tests.support.two_cells import a_listed_cell, second_database, south
from tests.support.waiting import eventually
from workers import cells_at_work, wakeups
from workers.cells_at_work import CellsAtWork
from workers.main import LocalQueue

__all__ = ["second_database", "south"]


class Work:
    """What is at work, by cell; `away` fails as a database that cannot be reached."""

    def __init__(self) -> None:
        self.at_work: list[str] = []
        self.away: set[str] = set()
        self.tries = 0

    async def do(self, cell: Cell, end: asyncio.Event) -> None:
        """Work until `end`, in the context of the cell."""
        assert cells.current() == cell
        self.tries += 1
        if cell.name in self.away:
            raise DatabaseUnreachable
        self.at_work.append(cell.name)
        await end.wait()
        self.at_work.remove(cell.name)


async def test_cells_begin_and_end_by_themselves(
    south: Cell, second_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells_at_work, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(cells_at_work, "RETRY_SECONDS", 0.01)
    work, stop = Work(), asyncio.Event()
    work.away = {"south"}
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(CellsAtWork(group, work.do).keep_up(frozenset(), stop))
        await eventually(lambda: work.tries > 3, "what is away is tried again")
        assert work.at_work == ["main"]
        work.away.clear()
        await eventually(lambda: sorted(work.at_work) == ["main", "south"], "it is there")
        await a_listed_cell("west", second_database)
        await eventually(lambda: len(work.at_work) == 3, "a new one is begun")
        await cells.remove_cell("west")
        await eventually(lambda: sorted(work.at_work) == ["main", "south"], "and ended")
        stop.set()
    assert work.at_work == []


async def test_a_worker_drains_the_cells_that_it_is_given(south: Cell) -> None:
    work, stop = Work(), asyncio.Event()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(CellsAtWork(group, work.do).keep_up(frozenset({"south"}), stop))
        await eventually(lambda: work.at_work == ["south"], "it alone")
        stop.set()


async def test_wake_ups_and_the_clocks_jobs_are_those_of_the_cell(south: Cell) -> None:
    home = wakeups._worker("redis://127.0.0.1:1", {})
    with cells.use_cell(south):
        there = wakeups._worker("redis://127.0.0.1:1", {})
    assert (home.queue_name, there.queue_name) == ("svc:wake", "svc:wake:south")
    names = {job.name for job in home.cron_jobs}
    assert {job.name for job in there.cron_jobs} == {f"{name}@south" for name in names}

    class Loop:
        woken = 0

        def wake(self) -> None:
            self.woken += 1

        async def run(self, *_: object) -> None:
            raise NotImplementedError

    queue, loops = LocalQueue(), {HOME: Loop(), south: Loop()}
    queue.loops = {cell: {Job.SEND_SMS: loop} for cell, loop in loops.items()}
    with cells.use_cell(south):
        await queue.wake(Job.SEND_SMS)
    with cells.use_cell(Cell("north", "postgresql://nobody@nowhere/none")):
        await queue.wake(Job.SEND_SMS)  # the workers of that cell find it by themselves
    assert [loop.woken for loop in loops.values()] == [0, 1]
