"""Webhook dispatcher: the worker's loop that claims due deliveries, posts them and saves outcomes.

It claims while others are being posted, and writes outcomes in batches.
"""

import asyncio
import time
from collections.abc import Sequence

import asyncpg
import structlog

from core.cells import cell_of, use_cell
from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.database.transactions import outside_transaction
from core.foundation.http_client import GuardedClient
from core.foundation.pauses import pause
from core.webhooks.delivery.attempt import AttemptOutcome, attempt_delivery
from core.webhooks.delivery.claim import (
    DeliveryClaimer,
    DueDelivery,
    claim_probes,
    release_claims,
)
from core.webhooks.delivery.in_flight import (
    MAX_AT_RISK,
    MAX_IN_FLIGHT,
    MAX_PREFETCHED,
    MAX_SLOW,
    InFlightAttempt,
    InFlightLimiter,
)
from core.webhooks.delivery.metrics import count_attempt
from core.webhooks.delivery.save_outcomes import save_outcomes

log = structlog.get_logger()

START_BATCH_SIZE = 32
"""Attempts that begin in one turn of the loop."""
GATHER_SECONDS = 0.02
"""How long finished attempts wait for company before they are saved."""
POLL_SECONDS = 1.0
"""How soon due deliveries are found when no wake-up came."""
RETRY_SECONDS = 0.5
MOVED_RETRY_SECONDS = 1.0
MOVED_TRIES = 50
"""How often outcomes of an organization that moves between cells are tried to be saved: until the lease of what
was posted ends, after which it is posted again.
"""
SHUTDOWN_TIMEOUT_SECONDS = 25.0
"""How long a dispatcher that is told to stop goes on trying to save the outcomes of what it has
posted: unsaved, all of it is sent again.

Together with the greatest age of a claim it is less than a lease: what is handed back is still
ours.
"""


class Dispatcher:
    """Delivers what is due until it is told to stop; then it finishes what it has begun.

    Claiming goes on while others are in flight, and what is prefetched fills the slots that become
    free. A receiver that hangs is soon marked slow: what it holds then is bounded by its own limit
    and by its organization's, and the slots of those who answer stay theirs.
    """

    def __init__(
        self,
        http: GuardedClient,
        *,
        max_in_flight: int = MAX_IN_FLIGHT,
        max_prefetched: int = MAX_PREFETCHED,
        max_slow: int = MAX_SLOW,
        max_at_risk: int = MAX_AT_RISK,
    ) -> None:
        self._http = http
        self._limiter = InFlightLimiter(
            max_in_flight=max_in_flight,
            max_prefetched=max_prefetched,
            max_slow=max_slow,
            max_at_risk=max_at_risk,
        )
        self._claimer = DeliveryClaimer(
            self._limiter.subscriptions, self._limiter.hosts, self._limiter.bulkhead
        )
        self._posters: set[asyncio.Task[None]] = set()
        self._start_scheduled = False
        self._outcomes: list[AttemptOutcome] = []
        self._saving: asyncio.Task[None] | None = None
        self._of_moved: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._more_due = True
        self._next_poll = 0.0
        self._batches: Batches | None = None

    def wake(self) -> None:
        """Something is due: look now."""
        self._more_due = True
        self._woken.set()

    async def run(self, stop: asyncio.Event, batches: Batches | None = None) -> None:
        """Deliver until `stop` is set and the outcome of everything begun is saved."""
        self._batches = batches
        try:
            while not stop.is_set():
                self._mark_slow()
                self._save()
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
        self._more_due, self._next_poll = True, 0.0
        while self._more_due or self._busy:
            self._mark_slow()
            self._save()
            if self._more_due:
                await self._claim()
            if self._busy and not self._wants_more:
                await self._rest()

    @property
    def _busy(self) -> bool:
        return bool(self._limiter.is_busy or self._outcomes or self._saving or self._of_moved)

    @property
    def _wants_more(self) -> bool:
        return self._more_due and self._limiter.is_worth_a_claim

    def _save(self) -> None:
        """Have outcomes saved while others are claimed and posted; raises what the last saving
        failed of.
        """
        if self._saving is not None and self._saving.done():
            saved, self._saving = self._saving, None
            saved.result()
        if self._saving is None and self._outcomes:
            self._saving = asyncio.create_task(self._save_outcomes())
            self._saving.add_done_callback(lambda _: self._woken.set())

    async def _claim(self) -> None:
        clock = time.monotonic()
        polls = clock >= self._next_poll
        if not self._limiter.is_worth_a_claim or not (self._more_due or polls):
            return
        self._more_due = False
        if polls:
            self._next_poll = clock + POLL_SECONDS
            if (limit := self._limiter.available_for_probes) > 0:
                self._prefetch(await claim_probes(at=now(), limit=limit), clock)
                clock = time.monotonic()
        # All at once would be posted together, answered together, and leave nothing to do until the
        # next claim comes.
        limit = min(self._limiter.available, -(-self._limiter.max_in_flight // 2))
        claimed = await self._claimer.claim(at=now(), limit=limit, scarce=self._limiter.is_scarce)
        # There may be more: of others, or of these once they have slots again.
        self._more_due = self._more_due or self._claimer.more or bool(claimed)
        self._prefetch(claimed, clock)

    def _prefetch(self, claimed: Sequence[DueDelivery], clock: float) -> None:
        self._limiter.prefetch(claimed, clock=clock)
        self._start()

    async def _rest(self) -> None:
        await pause(GATHER_SECONDS if self._busy else POLL_SECONDS, until=self._woken)
        self._woken.clear()

    def _start(self) -> None:
        """Post what is claimed as far as there are slots, a few at a time.

        What is written leaves at the end of a turn of the loop: a claim would wait for all of them
        to be signed.
        """
        for _ in range(START_BATCH_SIZE):
            if (started := self._limiter.start_next(clock=time.monotonic())) is None:
                return
            poster = asyncio.create_task(self._post(started), context=outside_transaction())
            self._posters.add(poster)
            poster.add_done_callback(self._posters.discard)
        if self._limiter.has_prefetched and not self._start_scheduled:
            self._start_scheduled = True
            asyncio.get_running_loop().call_soon(self._start_more)

    def _start_more(self) -> None:
        self._start_scheduled = False
        self._start()

    async def _post(self, started: InFlightAttempt | None) -> None:
        """One after the other, as long as something is claimed."""
        while started is not None:
            due, success = started.due, False
            try:
                outcome = await attempt_delivery(self._http, due, at=now())
            except Exception:  # a fault of ours: the lease runs out and the delivery is tried again
                log.exception("delivery_failed", delivery=due.id)
            else:
                # The list of now: another one may be in the middle of being saved.
                self._outcomes.append(outcome)
                count_attempt(due, outcome)
                success = outcome.ok
                if success:
                    self._claimer.note_success(due.subscription_id)
            finally:
                self._end(started, success=success)
            started = self._limiter.start_next(clock=time.monotonic())

    def _end(self, ended: InFlightAttempt, *, success: bool) -> None:
        if self._limiter.finish(ended, success=success):
            self._more_due = True
            self._woken.set()
        elif self._limiter.is_worth_a_claim:
            self._woken.set()

    def _mark_slow(self) -> None:
        if self._limiter.mark_slow(clock=time.monotonic()):
            self._more_due = True
        self._start()

    async def _finish(self) -> None:
        """See what has begun through until its outcome is saved, also when the database is away for
        a moment.
        """
        deadline = time.monotonic() + SHUTDOWN_TIMEOUT_SECONDS
        unstarted = self._limiter.drop_prefetched(clock=time.monotonic())
        while self._busy or unstarted:
            try:
                self._save()
                if unstarted:
                    await release_claims(unstarted, at=now())
            except Exception as error:
                if time.monotonic() >= deadline:
                    raise
                log.warning("finishing_waits", error=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                unstarted = []
            if self._busy:
                await self._rest()

    async def _save_outcomes(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        started = time.perf_counter()
        try:
            await self._save_all(outcomes)
        except BaseException:
            self._outcomes = outcomes + self._outcomes
            raise
        if self._batches is not None:
            self._batches.done(len(outcomes), started=started)

    async def _save_all(self, outcomes: Sequence[AttemptOutcome]) -> None:
        """Save them; those of an organization that may not be written to, because it moves to another
        cell, hold up no others.
        """
        try:
            await save_outcomes(outcomes)
        except asyncpg.LockNotAvailableError:
            owners = sorted({one.organization_id for one in outcomes})
            if len(owners) > 1:
                for owner in owners:
                    await self._save_all([one for one in outcomes if one.organization_id == owner])
                return
            later = asyncio.create_task(_save_of_moved(owners[0], outcomes))
            self._of_moved.add(later)
            later.add_done_callback(self._moved_are_saved)

    def _moved_are_saved(self, task: asyncio.Task[None]) -> None:
        self._of_moved.discard(task)
        self._woken.set()


async def _save_of_moved(organization_id: str, outcomes: Sequence[AttemptOutcome]) -> None:
    """Save them where the organization lives, as soon as it may be written to."""
    for _ in range(MOVED_TRIES):
        await asyncio.sleep(MOVED_RETRY_SECONDS)
        try:
            with use_cell(await cell_of(organization_id)):
                await save_outcomes(outcomes)
        except Exception as error:
            if not is_outage(error):
                log.exception("outcomes_not_saved")
                return
        else:
            return
    log.warning("outcomes_not_saved", organization_id=organization_id)
