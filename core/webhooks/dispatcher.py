"""The loop that keeps deliveries flowing: it claims while others are being posted, and writes in batches."""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from functools import partial

import aiohttp
import structlog

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.transactions import outside_transaction
from core.webhooks.deliver import DueDelivery, Outcome, attempt, claim_due, record
from core.webhooks.measure import count_attempt

log = structlog.get_logger()

IN_FLIGHT = 256
SHARE = 64
"""Places that one subscription may take, however much is due for it and however slowly it answers."""
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are written down."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    A receiver that hangs occupies its share of the places only: claiming goes on while others are under way.
    """

    def __init__(self, http: aiohttp.ClientSession, *, in_flight: int = IN_FLIGHT, share: int = SHARE) -> None:
        self._http = http
        self._most = in_flight
        self._share = min(share, in_flight)
        self._under_way: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._outcomes: list[Outcome] = []
        self._stirred = asyncio.Event()
        self._look = True
        self._next_look = 0.0
        self._batches: Batches | None = None

    def wake(self) -> None:
        """Something is due: look now."""
        self._look = True
        self._stirred.set()

    async def run(self, stop: asyncio.Event, batches: Batches | None = None) -> None:
        """Deliver until `stop` is set and everything begun is written down."""
        self._batches = batches
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
        # A few free places are not worth a query.
        if room * 8 < self._most or not (self._look or clock >= self._next_look):
            return
        self._look = False
        self._next_look = clock + POLL_SECONDS
        rooms = {subscription: self._share - busy for subscription, busy in self._under_way.items()}
        claimed = await claim_due(at=now(), limit=room, share=self._share, room=rooms)
        # There may be more: of others, or of these once they have places again.
        self._look = self._look or bool(claimed)
        for due in claimed:
            self._begin(due)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), GATHER_SECONDS if self._tasks else POLL_SECONDS)
        self._stirred.clear()

    def _begin(self, due: DueDelivery) -> None:
        task = asyncio.create_task(self._post(due), context=outside_transaction())
        self._tasks.add(task)
        self._under_way[due.subscription_id] += 1
        task.add_done_callback(partial(self._finished, due.subscription_id))

    async def _post(self, due: DueDelivery) -> None:
        try:
            outcome = await attempt(self._http, due, at=now())
        except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
            log.exception("delivery_failed", delivery=due.id)
        else:
            count_attempt(due, outcome)
            self._outcomes.append(outcome)  # the list of now: another one may have been written down meanwhile

    def _finished(self, subscription_id: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self._under_way[subscription_id] == self._share:
            self._look = True  # it was full: more of it may have waited
        self._under_way[subscription_id] -= 1
        if not self._under_way[subscription_id]:
            del self._under_way[subscription_id]
        if len(self._tasks) * 2 <= self._most or self._under_way.get(subscription_id, 0) * 2 == self._share:
            self._stirred.set()

    async def _write_down(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        started = time.perf_counter()
        try:
            await record(outcomes)
        except BaseException:
            self._outcomes = outcomes + self._outcomes
            raise
        if self._batches is not None:
            self._batches.done(len(outcomes), started=started)
