"""Polling loops that drain due rows: rows are the truth, a wake-up only makes a loop look sooner."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.pauses import pause


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
