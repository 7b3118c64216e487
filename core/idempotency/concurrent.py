"""Concurrent requests with the same Idempotency-Key: the later ones wait for the first.

On every operation alike, with one limit of waiters for the process, whatever they send.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.foundation.dry_run import is_dry_run
from core.idempotency.errors import RequestInProgress

WAIT_TIMEOUT_SECONDS = 10.0
POLL_SECONDS = 0.1
MAX_WAITERS = 16

Answer = TypeVar("Answer")

_waiters = 0


async def wait_for_first(ask: Callable[[], Awaitable[Answer | None]]) -> Answer:
    """Ask until there is an answer; None: the first one is under way. It holds no connection
    between two questions.

    `ask` paces itself by `pause`, so that it may also ask at once. Raises RequestInProgress after ten
    seconds, and at once where too many wait already, and in a dry run, which would hold a connection.
    """
    global _waiters
    if _waiters >= MAX_WAITERS or is_dry_run():
        raise RequestInProgress
    _waiters += 1
    try:
        clock = asyncio.get_running_loop().time
        deadline = clock() + WAIT_TIMEOUT_SECONDS
        while clock() < deadline:
            answer = await ask()
            if answer is not None:
                return answer
        raise RequestInProgress
    finally:
        _waiters -= 1


async def pause() -> None:
    """Let the first one get on."""
    await asyncio.sleep(POLL_SECONDS)
