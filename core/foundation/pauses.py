"""A pause that an event ends before its time."""

import asyncio


async def pause(seconds: float, *, until: asyncio.Event) -> None:
    """Wait for the event, for at most so many seconds.

    Unlike `asyncio.wait_for` of Python 3.11, which answers as if it had not been cancelled when the
    event is set in the same turn of the loop: the task would go on for ever.
    """
    try:
        async with asyncio.timeout(seconds):
            await until.wait()
    except TimeoutError:
        return
