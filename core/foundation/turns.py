"""Cooperative scheduling: long work yields to the event loop, so that requests get through."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

Item = TypeVar("Item")

TURN_SECONDS = 0.001
"""How long others wait for one turn, and for each of those that take turns at the same time."""


async def in_turns(items: Iterable[Item]) -> AsyncIterator[Item]:
    """The items. Whenever work on them has taken a turn, whoever else is ready goes first.

    Better than a thread for work of Python: a thread that computes has the interpreter for 5 ms at
    a time, and takes it whenever the loop waits.
    """
    began = time.perf_counter()
    for item in items:
        if time.perf_counter() - began >= TURN_SECONDS:
            await asyncio.sleep(0)
            began = time.perf_counter()
        yield item
