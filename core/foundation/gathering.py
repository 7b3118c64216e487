"""Work side by side of which each part is to end, whatever becomes of the others."""

import asyncio
from collections.abc import Awaitable, Iterable


async def run_all(work: Iterable[Awaitable[None]]) -> None:
    """Run all of it to its end, and then raise the first failure.

    The failure is kept under no name: a frame that names the exception whose traceback names the
    frame holds all that both know until the cyclic collector comes by.
    """
    failures: list[Exception] = []

    async def ended(part: Awaitable[None]) -> None:
        try:
            await part
        except Exception as failure:
            failures.append(failure)

    await asyncio.gather(*map(ended, work))
    try:
        if failures:
            raise failures[0]
    finally:
        failures.clear()
