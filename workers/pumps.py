"""Loops that drain due rows. The rows are the truth; a wake-up only makes a pump look sooner."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime

import structlog

from core.foundation.batches import FAILURES, Batches
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage

log = structlog.get_logger()

AFTER_FAILURE_SECONDS = 1.0


class Pump:
    """Calls a deed until it finds nothing more, then rests until a wake-up or the next poll."""

    def __init__(
        self, drain: Callable[..., Awaitable[int]], *, batch: int, poll_seconds: float
    ) -> None:
        self._drain = drain
        self._batch = batch
        self._poll = poll_seconds
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Something is due: look now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches) -> None:
        """Drain until `stop` is set; a batch that has begun is finished."""
        while not stop.is_set():
            self._woken.clear()
            at: datetime = now()
            started = time.perf_counter()
            taken = await self._drain(at=at)
            batches.done(taken, started=started)
            if taken >= self._batch:
                continue
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self._poll)


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
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), AFTER_FAILURE_SECONDS)
    batches.tell()
