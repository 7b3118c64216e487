"""Micro-batching: concurrent calls of one process become one batched call.

Under load a commit costs more than the work inside it: calls that arrive while one batch is under
way form the next one. An idle service adds no wait at all.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from core.foundation.clock import is_set
from core.foundation.database.availability import DatabaseUnreachable, is_gone
from core.foundation.database.cell import HOME, Cell, current
from core.foundation.dry_run import is_dry_run

Item = TypeVar("Item")
Result = TypeVar("Result")


MAX_TURNS = 8

HOLD_BACK_SECONDS = 0.005
"""The longest time that calls are held back for a fuller batch while another one is under way."""


class Combiner(Generic[Item, Result]):
    """Hands items to `work` in batches of at most `most`, with at most `concurrency` batches under way in
    each cell: what goes to different databases is never one statement.

    A batch costs more than its items, so another one begins beside it only when as many items wait as
    are under way, or when one has waited for `HOLD_BACK_SECONDS`.

    `work` answers one result or exception per item, in order. If it fails as a whole, each item is
    tried alone, so that one of them never takes another down.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        most: int = 64,
        concurrency: int = 1,
    ) -> None:
        self._work = work
        self._at_home = _Batches(work, most=most, concurrency=concurrency)
        self._new = partial(_Batches, work, most=most, concurrency=concurrency)
        self._elsewhere: dict[str, _Batches[Item, Result]] = {}

    def submit(self, item: Item) -> Coroutine[Any, Any, Result]:
        """The result for this item, or the exception that is its own. A dry run is done alone,
        inside its own transaction; so is what has a clock of its own, at its time and in its order.
        """
        if is_dry_run() or is_set():
            return self._alone(item)
        cell = current()
        return (self._at_home if cell is HOME else self._of(cell)).submit(item)

    async def _alone(self, item: Item) -> Result:
        return _own(*await self._work([item]))

    def _of(self, cell: Cell) -> "_Batches[Item, Result]":
        if cell.name not in self._elsewhere:
            self._elsewhere[cell.name] = self._new()
        return self._elsewhere[cell.name]


class _Batches(Generic[Item, Result]):
    """Those of one cell."""

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        most: int,
        concurrency: int,
    ) -> None:
        self._work = work
        self._most = most
        self._concurrency = concurrency
        self._waiting: deque[tuple[Item, asyncio.Future[Result]]] = deque()
        self._open = 0
        self._under_way = 0
        self._held_back: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def submit(self, item: Item) -> Result:
        """The result for this item, or the exception that is its own."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if not self._open or self._is_worth_a_batch():
            self._open_lane()
        else:
            self._hold_back()
        return await future

    def _is_worth_a_batch(self) -> bool:
        return 0 < self._under_way <= len(self._waiting)

    def _hold_back(self) -> None:
        """See to it that what waits now begins soon, whatever becomes of the batch under way."""
        if self._held_back is None and self._open < self._concurrency:
            self._held_back = asyncio.get_running_loop().call_later(
                HOLD_BACK_SECONDS, self._stop_holding_back
            )

    def _stop_holding_back(self) -> None:
        self._held_back = None
        if self._waiting:
            self._open_lane()

    def _open_lane(self) -> None:
        if self._open < self._concurrency:
            self._open += 1
            lane = asyncio.create_task(self._drain())
            self._tasks.add(lane)  # the loop itself holds tasks weakly
            lane.add_done_callback(self._tasks.discard)

    async def _drain(self) -> None:
        try:
            await self._gather()
            while batch := self._next():
                self._under_way += len(batch)
                if self._is_worth_a_batch():
                    self._open_lane()
                try:
                    await self._finish(batch)
                finally:
                    self._under_way -= len(batch)
                    _let_go(batch)
                await self._gather()
                if 0 < len(self._waiting) < self._under_way:
                    self._hold_back()
                    return
        finally:
            # At once, not in a callback: whoever comes next must find this lane closed.
            self._open -= 1
            if not self._open:
                _let_go(self._waiting)
                self._waiting.clear()

    def _next(self) -> list[tuple[Item, asyncio.Future[Result]]]:
        """The next batch. What nobody waits for any more, and nobody has begun, is not done."""
        batch: list[tuple[Item, asyncio.Future[Result]]] = []
        while self._waiting and len(batch) < self._most:
            one = self._waiting.popleft()
            if not one[1].done():
                batch.append(one)
        return batch

    async def _gather(self) -> None:
        """Let calls come along that have arrived already and are still being read: a few turns of
        the loop.

        It goes on while each turn brings more, so an idle service waits for microseconds only.
        """
        for _ in range(MAX_TURNS):
            before = len(self._waiting)
            await asyncio.sleep(0)
            if len(self._waiting) <= before:
                return

    async def _finish(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> Exception | None:
        """Answer a batch; what failed as a whole is tried one by one. Answers the failure of the
        work itself.
        """
        try:
            results = await self._work([item for item, _ in batch])
        except Exception as error:
            if len(batch) == 1 or isinstance(error, DatabaseUnreachable):
                _answer(batch, [error] * len(batch))
                return error
            await self._one_by_one(batch)
        else:
            _answer(batch, results)
        return None

    async def _one_by_one(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        """A database that is away is away for all: it is waited for once, not once for each."""
        for place, alone in enumerate(batch):
            if alone[1].done():  # nobody waits for it any more
                continue
            error = await self._finish([alone])
            if error is not None and is_gone(error):
                rest = batch[place + 1 :]
                _answer(rest, [error] * len(rest))
                return


def _own(result: Result | Exception) -> Result:
    if isinstance(result, Exception):
        raise result
    return result


def _answer(
    batch: Sequence[tuple[Item, asyncio.Future[Result]]], results: Sequence[Result | Exception]
) -> None:
    for (_, future), result in zip(batch, results, strict=True):
        if future.done():  # its caller went away; the work stands
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _let_go(batch: Iterable[tuple[Item, asyncio.Future[Result]]]) -> None:
    """Nobody waits for ever on a lane that was cancelled; whoever has an answer keeps it."""
    for _, future in batch:
        future.cancel()
