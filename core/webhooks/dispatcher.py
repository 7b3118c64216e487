"""The loop that keeps deliveries flowing: it claims while others are being posted, and writes in batches."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import aiohttp
import structlog

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.transactions import outside_transaction
from core.webhooks.claim import Claims, DueDelivery, claim_probes, hand_back
from core.webhooks.deliver import Outcome, attempt
from core.webhooks.lanes import HOST, SUBSCRIPTION, Lanes
from core.webhooks.measure import count_attempt
from core.webhooks.record import record

log = structlog.get_logger()

IN_FLIGHT = 512
"""Attempts that have only just begun."""
AHEAD = 256
"""Claimed deliveries that wait for a place: what is posted while the next claim is under way."""
AT_A_TIME = 32
"""Attempts that begin in one turn of the loop."""
HELD_UP = 512
"""Attempts that have taken longer than a moment: they stand aside and take none of the places above."""
MOST_CONNECTIONS = IN_FLIGHT + HELD_UP + 1
QUICK_SECONDS = 1.0
PROBES = 128
"""Probes of failing subscriptions under way."""
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are written down."""
STALE_SECONDS = 30.0
"""A claim of this age is left alone: an attempt takes up to 15 seconds and must end before the lease does."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""
AFTER_FAILURE_SECONDS = 0.5
LAST_SECONDS = 30.0
"""How long who is told to stop goes on trying to write down what it has posted: unwritten, all of it is sent again."""


@dataclass(eq=False, slots=True)
class Attempt:
    """A claimed delivery: it waits for a place, and then is under way."""

    due: DueDelivery
    claimed: float
    started: float = 0.0
    held_up: bool = False
    over: bool = False


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    Claiming goes on while others are under way, and what is claimed ahead fills the places that become free. A
    receiver that hangs soon stands aside: what it holds then is bounded by itself, and the places of those who
    answer stay theirs.
    """

    def __init__(
        self, http: aiohttp.ClientSession, *, in_flight: int = IN_FLIGHT, ahead: int = AHEAD, held_up: int = HELD_UP
    ) -> None:
        self._http = http
        self._most = in_flight
        self._most_ahead = ahead
        self._most_held_up = held_up
        self._subscriptions = Lanes(SUBSCRIPTION)
        self._hosts = Lanes(HOST)
        self._claims = Claims(self._subscriptions, self._hosts)
        self._ahead: deque[Attempt] = deque()
        self._young: deque[Attempt] = deque()
        self._posters: set[asyncio.Task[None]] = set()
        self._beginning = False
        self._under_way = 0
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
        try:
            while not stop.is_set():
                self._set_aside()
                self._write()
                await self._claim()
                if not self._wants_more:
                    await self._rest()
        except Exception as error:
            if not stop.is_set():
                raise
            log.warning("finishing_waits", error=type(error).__name__)
        await self._finish()

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
        return bool(self._under_way or self._ahead or self._outcomes or self._writing)

    @property
    def _places(self) -> int:
        """Those that were held up leave their places, as long as there is somewhere to stand."""
        return self._most + min(self._held_up, self._most_held_up) - self._under_way

    @property
    def _room(self) -> int:
        return self._places + self._most_ahead - len(self._ahead)

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
        self._take(claimed, clock)

    async def _probe(self, limit: int) -> None:
        if limit > 0:
            clock = time.monotonic()
            self._take(await claim_probes(at=now(), limit=limit), clock)

    def _take(self, claimed: Sequence[DueDelivery], clock: float) -> None:
        for due in claimed:
            self._ahead.append(Attempt(due, clock))
            self._subscriptions.enter(due.subscription_id)
            self._hosts.enter(due.host)
            self._probes += due.probe
        self._begin()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), GATHER_SECONDS if self._busy else POLL_SECONDS)
        self._stirred.clear()

    def _begin(self) -> None:
        """Post what is claimed as far as there are places, a few at a time.

        What is written leaves at the end of a turn of the loop: a claim would wait for all of them to be signed.
        """
        for _ in range(AT_A_TIME):
            if (begun := self._next()) is None:
                return
            poster = asyncio.create_task(self._post(begun), context=outside_transaction())
            self._posters.add(poster)
            poster.add_done_callback(self._posters.discard)
        if self._ahead and not self._beginning:
            self._beginning = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._beginning = False
        self._begin()

    def _next(self) -> "Attempt | None":
        if self._places <= 0:
            return None
        while self._ahead:
            begun = self._ahead.popleft()
            begun.started = time.monotonic()
            if begun.started - begun.claimed < STALE_SECONDS:
                self._under_way += 1
                self._young.append(begun)
                return begun
            self._leave(begun, quick=False)
        return None

    async def _post(self, begun: "Attempt | None") -> None:
        """One after the other, as long as something is claimed."""
        while begun is not None:
            due = begun.due
            try:
                outcome = await attempt(self._http, due, at=now())
            except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
                log.exception("delivery_failed", delivery=due.id)
            else:
                self._outcomes.append(outcome)  # the list of now: another one may have been written down meanwhile
                count_attempt(due, outcome)
            finally:
                self._end(begun)
            begun = self._next()

    def _end(self, begun: Attempt) -> None:
        begun.over = True
        self._under_way -= 1
        self._held_up -= begun.held_up
        if self._leave(begun, quick=not begun.held_up):
            self._look = True
            self._stirred.set()
        elif self._room * 4 >= self._most:
            self._stirred.set()

    def _leave(self, begun: Attempt, *, quick: bool) -> bool:
        """Give back the places of its lanes; answers whether others may have waited for them."""
        self._probes -= begun.due.probe
        first = self._subscriptions.leave(begun.due.subscription_id, quick=quick)
        second = self._hosts.leave(begun.due.host, quick=quick)
        return first or second

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
        self._begin()

    async def _finish(self) -> None:
        """See what has begun through to its being written down, also when the database is away for a moment."""
        last = time.monotonic() + LAST_SECONDS
        unbegun, self._ahead = list(self._ahead), deque()
        for one in unbegun:
            self._leave(one, quick=False)
        while self._busy or unbegun:
            try:
                self._write()
                await self._hand_back(unbegun)
            except Exception as error:
                if time.monotonic() >= last:
                    raise
                log.warning("finishing_waits", error=type(error).__name__)
                await asyncio.sleep(AFTER_FAILURE_SECONDS)
            else:
                unbegun = []
            if self._busy:
                await self._rest()

    async def _hand_back(self, unbegun: Sequence[Attempt]) -> None:
        """Make it due again at once, for whoever goes on; but of what is stale somebody else may have the lease."""
        clock = time.monotonic()
        if held := [one.due for one in unbegun if clock - one.claimed < STALE_SECONDS]:
            await hand_back(held, at=now())

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
