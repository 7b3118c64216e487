"""Cooperative scheduling: long work yields to the event loop, so that requests get through."""

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

Item = TypeVar("Item")

TURN_SECONDS = 0.00025
"""How long whoever else is ready waits for one turn of long work, however much of it there is."""

TURNS_IN_A_ROW = 4
BREAK_SECONDS = 0.001
"""Beside light requests, long work rests for as long as it works: a process that always has something
to compute is put behind others by the system, and its requests with it.
"""
LIGHT_SECONDS = 0.25
"""For how long after a light request more of them are to be expected."""
MAX_PAUSE_SECONDS = 0.02
"""So that what is cut into hundreds of pieces loses a few seconds by its pauses, and no more."""

_waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, deque[asyncio.Future[None]]] = (
    WeakKeyDictionary()
)
"""Who waits for the next turn, in the order in which they came; by event loop."""


async def in_turns(items: Iterable[Item]) -> AsyncIterator[Item]:
    """The items. Whenever work on them has taken a turn, whoever else is ready goes first.

    Better than a thread for work of Python: a thread that computes has the interpreter for 5 ms at
    a time, and takes it whenever the loop waits.
    """
    began = time.perf_counter()
    for item in items:
        if time.perf_counter() - began >= TURN_SECONDS:
            await _next_turn()
            began = time.perf_counter()
        yield item


async def _next_turn() -> None:
    """Wait for a round of the loop in which no other long work goes on: a request takes several
    rounds, and would wait for everybody's turn in each of them.
    """
    loop = asyncio.get_running_loop()
    turn: asyncio.Future[None] = loop.create_future()
    waiting = _waiting.setdefault(loop, deque())
    waiting.append(turn)
    if len(waiting) == 1:
        _schedule(loop, waiting)
    await turn


_given = 0
"""Turns so far."""


def _schedule(loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
    """The next turn is in the next round, or, now and then beside light requests, behind a break."""
    if _given % TURNS_IN_A_ROW == 0 and is_beside_light_requests():
        loop.call_later(BREAK_SECONDS, _give_a_turn, loop, waiting)
    else:
        loop.call_soon(_give_a_turn, loop, waiting)


def _give_a_turn(loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
    global _given
    _given += 1
    turn = waiting.popleft()
    if waiting:
        _schedule(loop, waiting)
    if not turn.done():  # nobody waits for it any more
        turn.set_result(None)


# Beside light requests ---------------------------------------------------------------------------

_light_at = -math.inf


def note_light_request() -> None:
    """Somebody asks for little, and is to wait for little."""
    global _light_at
    _light_at = time.monotonic()


def is_beside_light_requests() -> bool:
    """Whether light requests come in this moment: long work then goes on in small pieces."""
    return time.monotonic() - _light_at < LIGHT_SECONDS


async def give_way(worked: float) -> None:
    """Between two pieces of long work: while light requests come, they have PostgreSQL and this
    process for themselves for as long as the piece took (`worked` seconds).
    """
    if is_beside_light_requests():
        await asyncio.sleep(min(worked, MAX_PAUSE_SECONDS))


async def in_parts(
    items: Sequence[Item], size: int, *, beside_light: int
) -> AsyncIterator[Sequence[Item]]:
    """The items in parts that are a statement or so each, of `size`, or, beside light requests, of
    `beside_light`: they go first between two parts.
    """
    place = 0
    while place < len(items):
        began = time.perf_counter()
        part = items[place : place + (beside_light if is_beside_light_requests() else size)]
        yield part
        place += len(part)
        if place < len(items):
            await give_way(time.perf_counter() - began)


AT_ONCE = 20
"""Of a long list that is let go of."""


async def let_go(*lists: list[Any]) -> None:
    """Empty long lists in turns. Else what a thousand objects hold is freed in one step at the end of
    whoever made them, and that step is as long as many turns.
    """
    async for _ in in_turns(range(max(map(len, lists)) // AT_ONCE + 1)):
        for one in lists:
            del one[-AT_ONCE:]


_steps: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


@asynccontextmanager
async def long_step() -> AsyncIterator[None]:
    """Around what takes milliseconds and cannot be interrupted: one such step of a process at a time,
    and others go first before the next.
    """
    async with _steps.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        began = time.perf_counter()
        yield
        await give_way(time.perf_counter() - began)
