"""Waiting for the first use of a key, on every operation alike: so many wait in a process, whatever
they send.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.idempotency.errors import StillUnderWay

IN_FLIGHT_SECONDS = 10.0
POLL_SECONDS = 0.1
MOST_WAITERS = 16

Answer = TypeVar("Answer")

_waiters = 0


async def after_the_twin(ask: Callable[[], Awaitable[Answer | None]]) -> Answer:
    """Ask until there is an answer; None: the other one is under way. It holds no connection
    between two questions.

    `ask` paces itself by `pause`, so that it may also ask at once. Raises StillUnderWay after ten
    seconds, and at once where too many wait already.
    """
    global _waiters
    if _waiters >= MOST_WAITERS:
        raise StillUnderWay
    _waiters += 1
    try:
        clock = asyncio.get_running_loop().time
        deadline = clock() + IN_FLIGHT_SECONDS
        while clock() < deadline:
            answer = await ask()
            if answer is not None:
                return answer
        raise StillUnderWay
    finally:
        _waiters -= 1


async def pause() -> None:
    """Let the other one get on."""
    await asyncio.sleep(POLL_SECONDS)
