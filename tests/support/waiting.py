"""Waiting for what must come true, with a deadline and a sentence for when it does not."""

import asyncio
import inspect
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds; what is true is seen at once, so that only a failing test takes them. On a busy machine things take many
times as long.
"""


async def eventually(
    look: Callable[[], object],
    sentence: str | Callable[[], object],
    *,
    within: float = PATIENCE,
    every: float = 0.02,
) -> None:
    """Look, plainly or with an await, until the answer is true; fail with the sentence when it
    stays false.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + within
    while True:
        seen = look()
        if inspect.isawaitable(seen):
            seen = await seen
        if seen:
            return
        if clock() > deadline:
            told = sentence if isinstance(sentence, str) else sentence()
            raise AssertionError(f"not within {within:.0f} s: {told}")
        await asyncio.sleep(every)
