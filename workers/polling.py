"""What keeps the loops of a worker running until it is to stop."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog

from core.foundation.batches import FAILURES, Batches
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.foundation.polling import Wakeable

log = structlog.get_logger()

RESTART_DELAY_SECONDS = 1.0


async def wake_all(loops: Iterable[Wakeable], stop: asyncio.Event) -> None:
    """Let loops that rest see at once that they are to stop."""
    await stop.wait()
    for loop in loops:
        loop.wake()


async def keep_running(
    job: str, run: Callable[[asyncio.Event, Batches], Awaitable[None]], stop: asyncio.Event
) -> None:
    """Run a loop until `stop`; when it fails (a database that restarts), try again after a moment.

    Told to stop in that moment, it runs once more: to finish what it has begun.
    """
    structlog.contextvars.bind_contextvars(job=job)
    batches = Batches(job)
    while True:
        try:
            await run(stop, batches)
            break
        except Exception as error:
            FAILURES.labels(job).add()
            if is_outage(error):
                tell_outage("database_away", error)
            else:
                log.exception("pump_failed")
            if stop.is_set():
                break
            await pause(RESTART_DELAY_SECONDS, until=stop)
    batches.tell()
