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

FEW = 8
"""So few callers at a time are not parted in halves: a batch of half of them costs as much."""

HOLD_BACK_SECONDS = 0.005
"""The longest time that calls are held back for a fuller batch while another one is under way."""


class Combiner(Generic[Item, Result]):
    """Hands items to `work` in batches of at most `most`, with at most `concurrency` batches under
    way in each cell: what goes to different databases is never one statement.

    A batch costs more than its items, so another one begins beside it only when as many items wait
    as are under way, or when one has waited for `HOLD_BACK_SECONDS`. `halves`: of more than `FEW`
    callers, each half is a batch; worth it where answering and reading a call takes about as long
    as `work`.

    `work` answers one result or exception per item, in order. If it fails as a whole, each item is
    tried alone, so that one of them never takes another down.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        most: int = 64,
        concurrency: int = 1,
        halves: bool = False,
    ) -> None:
        self._work = work
        self._new = partial(
            _Batches[Item, Result], work, most=most, concurrency=concurrency, halves=halves
        )
        self._at_home = self._new()
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
        halves: bool,
    ) -> None:
        self._work = work
        self._most = most
        self._concurrency = concurrency
        self._halves = halves
        self._waiting: deque[tuple[Item, asyncio.Future[Result]]] = deque()
        self._open = 0
        self._under_way = 0
        self._callers = 0
        self._gathering = False
        self._held_back: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def submit(self, item: Item) -> Result:
        """The result for this item, or the exception that is its own."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        self._callers = max(self._callers, len(self._waiting) + self._under_way)
        self._go_on()
        return await future

    def _go_on(self) -> None:
        """Begin the batches whose turn has come, and see to it that the rest is looked at again."""
        while self._open < self._concurrency and len(self._waiting) >= self._largest():
            self._begin()
        if not self._waiting or self._open >= self._concurrency:
            return
        if not self._open or self._is_worth_a_batch():
            self._gather_soon()
        elif self._held_back is None:
            self._held_back = asyncio.get_running_loop().call_later(
                HOLD_BACK_SECONDS, self._stop_holding_back
            )

    def _largest(self) -> int:
        """The calls of a batch that is not waited with. Of many callers each half is one: it is
        written while the other is answered and read.
        """
        return min(self._most, (self._callers + 1) // 2) if self._are_many() else self._most

    def _are_many(self) -> bool:
        return self._halves and self._callers > FEW

    def _is_worth_a_batch(self) -> bool:
        """Whether what waits, which is less, should begin beside what is under way: of few callers,
        when as many wait.
        """
        return not self._are_many() and len(self._waiting) >= self._under_way

    def _stop_holding_back(self) -> None:
        self._held_back = None
        if self._waiting and self._open < self._concurrency:
            self._begin()

    def _begin(self) -> None:
        if self._held_back is not None:
            self._held_back.cancel()
            self._held_back = None
        if batch := self._next():
            self._open += 1
            self._under_way += len(batch)
            self._start(self._do(batch))

    def _next(self) -> list[tuple[Item, asyncio.Future[Result]]]:
        """The next batch. What nobody waits for any more, and nobody has begun, is not done."""
        most = self._largest()
        # Callers leave: what was counted of them fades.
        self._callers = max(len(self._waiting) + self._under_way, self._callers * 15 // 16)
        batch: list[tuple[Item, asyncio.Future[Result]]] = []
        while self._waiting and len(batch) < most:
            one = self._waiting.popleft()
            if not one[1].done():
                batch.append(one)
        return batch

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._tasks.discard)

    def _gather_soon(self) -> None:
        if not self._gathering:
            self._gathering = True
            self._start(self._gather())

    async def _gather(self) -> None:
        """Let calls come along that have arrived already and are still being read: a few turns of
        the loop.

        It goes on while each turn brings more, so an idle service waits for microseconds only.
        """
        try:
            for _ in range(MAX_TURNS):
                before = len(self._waiting)
                await asyncio.sleep(0)
                if len(self._waiting) <= before:
                    break
        except asyncio.CancelledError:
            self._give_up()
            raise
        finally:
            self._gathering = False
        has_turn = not self._open or self._is_worth_a_batch()
        if self._waiting and has_turn and self._open < self._concurrency:
            self._begin()
        self._go_on()

    async def _do(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        """The next batch begins before this one is answered: the database works while answers are
        written.
        """
        try:
            results = await self._results(batch)
        except asyncio.CancelledError:
            self._has_ended(batch)
            _let_go(batch)
            self._give_up()
            raise
        self._has_ended(batch)
        self._go_on()
        try:
            _answer(batch, results)
        finally:
            _let_go(batch)

    def _has_ended(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        self._open -= 1
        self._under_way -= len(batch)

    def _give_up(self) -> None:
        """Nobody waits for ever on what was cancelled."""
        if not self._open:
            _let_go(self._waiting)
            self._waiting.clear()

    async def _results(
        self, batch: list[tuple[Item, asyncio.Future[Result]]]
    ) -> Sequence[Result | Exception]:
        """What failed as a whole is tried one by one, and answered one by one."""
        try:
            return await self._work([item for item, _ in batch])
        except Exception as error:
            if len(batch) == 1 or isinstance(error, DatabaseUnreachable):
                return [error] * len(batch)
            return await self._one_by_one(batch)

    async def _one_by_one(
        self, batch: list[tuple[Item, asyncio.Future[Result]]]
    ) -> list[Result | Exception]:
        """A database that is away is away for all: it is waited for once, not once for each."""
        results: list[Result | Exception] = []
        for item, future in batch:
            if future.done():
                results.append(_NobodyWaits())
                continue
            try:
                (result,) = await self._work([item])
            except Exception as error:
                if is_gone(error):
                    return [*results, *[error] * (len(batch) - len(results))]
                result = error
            results.append(result)
            _answer([(item, future)], [result])
        return results


class _NobodyWaits(Exception):
    """In place of the result of an item whose caller went away before its turn."""


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
