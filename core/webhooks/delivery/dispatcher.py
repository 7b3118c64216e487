"""The loop that keeps deliveries flowing: it claims while others are being posted, and writes in
batches.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

import aiohttp
import structlog

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.database.transactions import outside_transaction
from core.webhooks.delivery.attempt import Outcome, attempt
from core.webhooks.delivery.claim import Claims, DueDelivery, claim_probes, hand_back
from core.webhooks.delivery.in_flight import AHEAD, DOUBTFUL, HELD_UP, IN_FLIGHT, Attempt, Places
from core.webhooks.delivery.metrics import count_attempt
from core.webhooks.delivery.save_outcomes import record

log = structlog.get_logger()

AT_A_TIME = 32
"""Attempts that begin in one turn of the loop."""
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are written down."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""
AFTER_FAILURE_SECONDS = 0.5
LAST_SECONDS = 25.0
"""How long who is told to stop goes on trying to write down what it has posted: unwritten, all of
it is sent again.

Together with the age at which a claim is stale it is less than a lease: what is handed back is
still ours.
"""


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    Claiming goes on while others are under way, and what is claimed ahead fills the places that
    become free. A receiver that hangs soon stands aside: what it holds then is bounded by itself
    and by its organization, and the places of those who answer stay theirs.
    """

    def __init__(
        self,
        http: aiohttp.ClientSession,
        *,
        in_flight: int = IN_FLIGHT,
        ahead: int = AHEAD,
        held_up: int = HELD_UP,
        doubtful: int = DOUBTFUL,
    ) -> None:
        self._http = http
        self._places = Places(in_flight=in_flight, ahead=ahead, held_up=held_up, doubtful=doubtful)
        self._claims = Claims(self._places.subscriptions, self._places.hosts, self._places.doubtful)
        self._posters: set[asyncio.Task[None]] = set()
        self._beginning = False
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
        return bool(self._places.taken or self._outcomes or self._writing)

    @property
    def _wants_more(self) -> bool:
        return self._look and self._places.worth_a_claim

    def _write(self) -> None:
        """Have outcomes written down while others are claimed and posted; raises what the last
        writing failed of.
        """
        if self._writing is not None and self._writing.done():
            written, self._writing = self._writing, None
            written.result()
        if self._writing is None and self._outcomes:
            self._writing = asyncio.create_task(self._write_down())
            self._writing.add_done_callback(lambda _: self._stirred.set())

    async def _claim(self) -> None:
        clock = time.monotonic()
        polls = clock >= self._next_look
        if not self._places.worth_a_claim or not (self._look or polls):
            return
        self._look = False
        if polls:
            self._next_look = clock + POLL_SECONDS
            if (limit := self._places.room_for_probes) > 0:
                self._take(await claim_probes(at=now(), limit=limit), clock)
                clock = time.monotonic()
        # All at once would be posted together, answered together, and leave nothing to do until the
        # next claim comes.
        limit = min(self._places.room, -(-self._places.most // 2))
        claimed = await self._claims.take(at=now(), limit=limit, scarce=self._places.scarce)
        # There may be more: of others, or of these once they have places again.
        self._look = self._look or self._claims.more or bool(claimed)
        self._take(claimed, clock)

    def _take(self, claimed: Sequence[DueDelivery], clock: float) -> None:
        self._places.take(claimed, clock=clock)
        self._begin()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(
                self._stirred.wait(), GATHER_SECONDS if self._busy else POLL_SECONDS
            )
        self._stirred.clear()

    def _begin(self) -> None:
        """Post what is claimed as far as there are places, a few at a time.

        What is written leaves at the end of a turn of the loop: a claim would wait for all of them
        to be signed.
        """
        for _ in range(AT_A_TIME):
            if (begun := self._places.next(clock=time.monotonic())) is None:
                return
            poster = asyncio.create_task(self._post(begun), context=outside_transaction())
            self._posters.add(poster)
            poster.add_done_callback(self._posters.discard)
        if self._places.ahead and not self._beginning:
            self._beginning = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._beginning = False
        self._begin()

    async def _post(self, begun: Attempt | None) -> None:
        """One after the other, as long as something is claimed."""
        while begun is not None:
            due, well = begun.due, False
            try:
                outcome = await attempt(self._http, due, at=now())
            except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
                log.exception("delivery_failed", delivery=due.id)
            else:
                self._outcomes.append(
                    outcome
                )  # the list of now: another one may have been written down meanwhile
                count_attempt(due, outcome)
                well = outcome.ok
                if well:
                    self._claims.note_answer(due.subscription_id)
            finally:
                self._end(begun, well=well)
            begun = self._places.next(clock=time.monotonic())

    def _end(self, begun: Attempt, *, well: bool) -> None:
        if self._places.end(begun, well=well):
            self._look = True
            self._stirred.set()
        elif self._places.worth_a_claim:
            self._stirred.set()

    def _set_aside(self) -> None:
        if self._places.set_aside(clock=time.monotonic()):
            self._look = True
        self._begin()

    async def _finish(self) -> None:
        """See what has begun through to its being written down, also when the database is away for
        a moment.
        """
        last = time.monotonic() + LAST_SECONDS
        unbegun = self._places.give_up(clock=time.monotonic())
        while self._busy or unbegun:
            try:
                self._write()
                if unbegun:
                    await hand_back(unbegun, at=now())
            except Exception as error:
                if time.monotonic() >= last:
                    raise
                log.warning("finishing_waits", error=type(error).__name__)
                await asyncio.sleep(AFTER_FAILURE_SECONDS)
            else:
                unbegun = []
            if self._busy:
                await self._rest()

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
