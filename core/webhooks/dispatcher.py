"""The loop that keeps deliveries flowing: it claims while others are being posted, and writes in batches."""

import asyncio
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp
import structlog

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.transactions import outside_transaction
from core.webhooks.claim import Claims, DueDelivery, claim_probes
from core.webhooks.deliver import Outcome, attempt
from core.webhooks.lanes import HOST, SUBSCRIPTION, Lanes
from core.webhooks.measure import count_attempt
from core.webhooks.record import record

log = structlog.get_logger()

IN_FLIGHT = 512
"""Attempts that have only just begun."""
HELD_UP = 512
"""Attempts that have taken longer than a moment: they stand aside and take none of the places above."""
MOST_CONNECTIONS = IN_FLIGHT + HELD_UP + 1
QUICK_SECONDS = 1.0
PROBES = 128
"""Probes of failing subscriptions under way."""
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are written down."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""


@dataclass(eq=False, slots=True)
class Attempt:
    """A delivery under way. Places of lanes are those of deliveries; a probe has none."""

    due: DueDelivery
    started: float
    held_up: bool = False
    over: bool = False
    task: "asyncio.Task[None] | None" = field(default=None, repr=False)


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    Claiming goes on while others are under way. A receiver that hangs soon stands aside: what it holds then is
    bounded by itself, and the places of those who answer stay theirs.
    """

    def __init__(self, http: aiohttp.ClientSession, *, in_flight: int = IN_FLIGHT, held_up: int = HELD_UP) -> None:
        self._http = http
        self._most = in_flight
        self._most_held_up = held_up
        self._subscriptions = Lanes(SUBSCRIPTION)
        self._hosts = Lanes(HOST)
        self._claims = Claims(self._subscriptions, self._hosts)
        self._under_way: set[Attempt] = set()
        self._young: deque[Attempt] = deque()
        self._held_up = 0
        self._probes = 0
        self._outcomes: list[Outcome] = []
        self._writing: asyncio.Task[None] | None = None
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
            self._set_aside()
            self._write()
            if not stop.is_set():
                await self._claim()
            if stop.is_set() or not self._wants_more:
                await self._rest()

    async def drain(self) -> None:
        """Deliver all that is due now, and return."""
        self._look, self._next_look = True, 0.0
        while self._look or self._busy:
            self._set_aside()
            self._write()
            if self._look:
                await self._claim()
            if self._busy and not self._wants_more:
                await self._rest()

    @property
    def _busy(self) -> bool:
        return bool(self._under_way or self._outcomes or self._writing)

    @property
    def _room(self) -> int:
        """Those that were held up leave their places, as long as there is somewhere to stand."""
        return self._most + min(self._held_up, self._most_held_up) - len(self._under_way)

    @property
    def _wants_more(self) -> bool:
        return self._look and self._room * 4 >= self._most

    def _write(self) -> None:
        """Have outcomes written down while others are claimed and posted; raises what the last writing failed of."""
        if self._writing is not None and self._writing.done():
            written, self._writing = self._writing, None
            written.result()
        if self._writing is None and self._outcomes:
            self._writing = asyncio.create_task(self._write_down())
            self._writing.add_done_callback(lambda _: self._stirred.set())

    async def _claim(self) -> None:
        room = self._room
        clock = time.monotonic()
        polls = clock >= self._next_look
        # A few free places are not worth a query; and all at once would be posted together, answered together, and
        # leave nothing to do until the next claim is there.
        if room * 4 < self._most or not (self._look or polls):
            return
        self._look = False
        if polls:
            self._next_look = clock + POLL_SECONDS
            await self._probe(min(room, PROBES - self._probes))
        scarce = self._held_up * 2 >= self._most_held_up
        claimed = await self._claims.take(at=now(), limit=min(room, -(-self._most // 2)), scarce=scarce)
        # There may be more: of others, or of these once they have places again.
        self._look = self._look or self._claims.more or bool(claimed)
        for due in claimed:
            self._begin(due)

    async def _probe(self, limit: int) -> None:
        if limit > 0:
            for due in await claim_probes(at=now(), limit=limit):
                self._begin(due)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), GATHER_SECONDS if self._busy else POLL_SECONDS)
        self._stirred.clear()

    def _begin(self, due: DueDelivery) -> None:
        begun = Attempt(due, time.monotonic())
        self._under_way.add(begun)
        self._young.append(begun)
        self._subscriptions.enter(due.subscription_id)
        self._hosts.enter(due.host)
        self._probes += due.probe
        begun.task = asyncio.create_task(self._post(begun), context=outside_transaction())

    async def _post(self, begun: Attempt) -> None:
        due = begun.due
        try:
            outcome = await attempt(self._http, due, at=now())
        except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
            log.exception("delivery_failed", delivery=due.id)
        else:
            count_attempt(due, outcome)
            self._outcomes.append(outcome)  # the list of now: another one may have been written down meanwhile
        finally:
            self._end(begun)

    def _end(self, begun: Attempt) -> None:
        begun.over = True
        self._under_way.discard(begun)
        self._held_up -= begun.held_up
        self._probes -= begun.due.probe
        quick = not begun.held_up
        waited = [
            self._subscriptions.leave(begun.due.subscription_id, quick=quick),
            self._hosts.leave(begun.due.host, quick=quick),
        ]
        if any(waited):
            self._look = True
        if any(waited) or self._room * 4 >= self._most:
            self._stirred.set()

    def _set_aside(self) -> None:
        """Those that were begun first come first: nobody else is looked at."""
        late = time.monotonic() - QUICK_SECONDS
        while self._young and (self._young[0].over or self._young[0].started <= late):
            begun = self._young.popleft()
            if not begun.over:
                begun.held_up = True
                self._held_up += 1
                self._subscriptions.held_up(begun.due.subscription_id)
                self._hosts.held_up(begun.due.host)
                self._look = True

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
