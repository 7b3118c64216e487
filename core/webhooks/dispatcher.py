"""The loop that keeps deliveries flowing: it claims while others are being posted, and writes in batches."""

import asyncio
from contextlib import suppress

import aiohttp
import structlog

from core.foundation.clock import now
from core.foundation.transactions import outside_transaction
from core.webhooks.deliver import DueDelivery, Outcome, attempt, claim_due, record

log = structlog.get_logger()

IN_FLIGHT = 200
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are written down."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    A receiver that hangs occupies its own places only: claiming goes on while others are under way.
    """

    def __init__(self, http: aiohttp.ClientSession, *, in_flight: int = IN_FLIGHT) -> None:
        self._http = http
        self._most = in_flight
        self._tasks: set[asyncio.Task[None]] = set()
        self._outcomes: list[Outcome] = []
        self._stirred = asyncio.Event()
        self._look = True
        self._next_look = 0.0

    def wake(self) -> None:
        """Something is due: look now."""
        self._look = True
        self._stirred.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until `stop` is set and everything begun is written down."""
        while not stop.is_set() or self._busy:
            if not stop.is_set():
                await self._claim()
            await self._write_down()
            await self._rest()

    async def drain(self) -> None:
        """Deliver all that is due now, and return."""
        self._look = True
        while self._look or self._busy:
            if self._look:
                await self._claim()
            await self._write_down()
            if self._tasks:
                await self._rest()

    @property
    def _busy(self) -> bool:
        return bool(self._tasks or self._outcomes)

    async def _claim(self) -> None:
        room = self._most - len(self._tasks)
        clock = asyncio.get_running_loop().time()
        if room * 2 < self._most or not (self._look or clock >= self._next_look):
            return
        self._look = False
        self._next_look = clock + POLL_SECONDS
        claimed = await claim_due(at=now(), limit=room)
        self._look = self._look or len(claimed) == room
        for due in claimed:
            self._begin(due)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), GATHER_SECONDS if self._tasks else POLL_SECONDS)
        self._stirred.clear()

    def _begin(self, due: DueDelivery) -> None:
        task = asyncio.create_task(self._post(due), context=outside_transaction())
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def _post(self, due: DueDelivery) -> None:
        try:
            outcome = await attempt(self._http, due, at=now())
        except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
            log.exception("delivery_failed", delivery=due.id)
        else:
            self._outcomes.append(outcome)  # the list of now: another one may have been written down meanwhile

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if len(self._tasks) * 2 <= self._most:
            self._stirred.set()

    async def _write_down(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        try:
            await record(outcomes)
        except BaseException:
            self._outcomes = outcomes + self._outcomes
            raise
