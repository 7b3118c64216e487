"""Polling loops that drain due rows: rows are the truth, a wake-up only makes a loop look sooner."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

import structlog

from core.foundation.batches import FAILURES, Batches
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause

log = structlog.get_logger()

RESTART_DELAY_SECONDS = 1.0


class Wakeable(Protocol):
    """What a wake-up reaches."""

    def wake(self) -> None: ...


class WorkerLoop(Wakeable, Protocol):
    """What a worker keeps running for one job: a `PollingLoop`, or a dispatcher of core."""

    async def run(self, stop: asyncio.Event, batches: Batches) -> None: ...


class PollingLoop:
    """Calls a use case until it finds nothing more, then rests until a wake-up or the next poll."""

    def __init__(
        self, drain: Callable[..., Awaitable[int]], *, batch: int, poll_seconds: float
    ) -> None:
        self._drain = drain
        self._batch = batch
        self._poll_seconds = poll_seconds
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Something is due: look now."""
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches) -> None:
        """Drain until `stop` is set; a batch that has begun is finished."""
        while not stop.is_set():
            self._woken.clear()
            started = time.perf_counter()
            taken = await self._drain(at=now())
            batches.done(taken, started=started)
            if taken >= self._batch:
                continue
            await pause(self._poll_seconds, until=self._woken)


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
