"""In-flight limiter of a worker: how many attempts run at once, and which claimed delivery is next.

A claimed delivery waits in a prefetch queue for a free slot. An attempt that becomes slow leaves
its slot to another one, as long as there are not too many slow ones.

All of this is counting: `clock` is what a monotonic clock says, in seconds.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from core.webhooks.delivery.bulkhead import OrganizationBulkhead
from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.concurrency import (
    HOST_BOUNDS,
    SUBSCRIPTION_BOUNDS,
    AdaptiveConcurrencyLimiter,
    host_key,
)

MAX_IN_FLIGHT = 512
"""Attempts that have only just begun."""
MAX_PREFETCHED = 256
"""Claimed deliveries that wait for a slot: what is posted while the next claim is under way."""
MAX_SLOW = 512
"""Attempts that have become slow: they take none of the slots above."""
MAX_AT_RISK = 96
"""Attempts of one organization that may hang: with the probes fewer than make slots scarce for
everybody.
"""
MAX_CONNECTIONS = MAX_IN_FLIGHT + MAX_SLOW + 1
SLOW_AFTER_SECONDS = 1.0
MAX_CLAIM_AGE_SECONDS = 30.0
"""An older claim is left alone: an attempt takes up to 15 seconds and must end before the lease
does.
"""
MAX_PROBES = 128
"""Probes of failing subscriptions in flight."""


@dataclass(eq=False, slots=True)
class InFlightAttempt:
    """A claimed delivery: it waits for a slot, and then is in flight."""

    due: DueDelivery
    claimed_at: float
    host_key: str
    """Of the limit that it shares with its organization's other attempts at the host."""
    started_at: float = 0.0
    at_risk: bool = False
    """It counts among its organization's attempts that may hang."""
    slow: bool = False
    crowds: bool = False
    """It is slow, and makes slots scarce for everybody."""
    ended: bool = False


class InFlightLimiter:
    """The slots of one process.

    A claimed delivery counts in the limits of its subscription and host from then until it ends.
    """

    def __init__(
        self, *, max_in_flight: int, max_prefetched: int, max_slow: int, max_at_risk: int
    ) -> None:
        self.max_in_flight = max_in_flight
        self._max_prefetched = max_prefetched
        self._max_slow = max_slow
        self.subscriptions = AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS)
        self.hosts = AdaptiveConcurrencyLimiter(HOST_BOUNDS)
        self.bulkhead = OrganizationBulkhead(max_at_risk)
        self._prefetched: deque[InFlightAttempt] = deque()
        self._young: deque[InFlightAttempt] = deque()
        self._in_flight = 0
        self._slow = 0
        self._crowd = 0
        self._probes = 0

    @property
    def is_busy(self) -> bool:
        """Whether anything is claimed or in flight."""
        return bool(self._in_flight or self._prefetched)

    @property
    def has_prefetched(self) -> bool:
        """Whether anything waits for a slot."""
        return bool(self._prefetched)

    @property
    def available(self) -> int:
        """How many more may be claimed."""
        return self._free_slots + self._max_prefetched - len(self._prefetched)

    @property
    def available_for_probes(self) -> int:
        """The same for probes."""
        return min(self.available, MAX_PROBES - self._probes)

    @property
    def is_worth_a_claim(self) -> bool:
        """A few free slots are not worth a query."""
        return self.available * 4 >= self.max_in_flight

    @property
    def is_scarce(self) -> bool:
        """Whether so many are slow that only quick receivers should get a slot.

        Of one organization no more count than may be at risk: what it has above that is no reason
        to refuse others.
        """
        return self._crowd * 2 >= self._max_slow

    @property
    def _free_slots(self) -> int:
        """Slow attempts give up their slots, as long as there are not too many of them."""
        return self.max_in_flight + min(self._slow, self._max_slow) - self._in_flight

    def prefetch(self, claimed: Sequence[DueDelivery], *, clock: float) -> None:
        """Let them wait for a slot; `clock`: when they were asked for."""
        for due in claimed:
            attempt = InFlightAttempt(due, clock, host_key(due.organization_id, due.host))
            is_quick = self.subscriptions.is_quick(due.subscription_id)
            if not (due.probe or is_quick):  # probes have a bound of their own
                self._count_at_risk(attempt)
            self._prefetched.append(attempt)
            self.subscriptions.acquire(due.subscription_id)
            self.hosts.acquire(attempt.host_key)
            self._probes += due.probe

    def start_next(self, *, clock: float) -> InFlightAttempt | None:
        """Which attempt gets a slot now. A claim that has waited for too long is left to its lease."""
        while self._prefetched and self._free_slots > 0:
            attempt = self._prefetched.popleft()
            if clock - attempt.claimed_at < MAX_CLAIM_AGE_SECONDS:
                attempt.started_at = clock
                self._in_flight += 1
                self._young.append(attempt)
                return attempt
            self._release(attempt, quick=False)
        return None

    def finish(self, attempt: InFlightAttempt, *, success: bool = False) -> bool:
        """An attempt is over; answers whether others may have waited for its slot."""
        attempt.ended = True
        self._in_flight -= 1
        self._slow -= attempt.slow
        self._crowd -= attempt.crowds
        return self._release(attempt, quick=not attempt.slow, success=success)

    def mark_slow(self, *, clock: float) -> bool:
        """Mark as slow the attempts that take longer than a moment; answers whether there are any.

        Those that were begun first come first: nobody else is looked at.
        """
        late = clock - SLOW_AFTER_SECONDS
        before = self._slow
        while self._young and (self._young[0].ended or self._young[0].started_at <= late):
            attempt = self._young.popleft()
            if not attempt.ended:
                self._mark_slow(attempt)
        return self._slow > before

    def _mark_slow(self, attempt: InFlightAttempt) -> None:
        due = attempt.due
        attempt.slow = True
        self._slow += 1
        if not (attempt.at_risk or due.probe):
            self._count_at_risk(attempt)
        attempt.crowds = due.probe or not self.bulkhead.is_exceeded(due.organization_id)
        self._crowd += attempt.crowds
        self.subscriptions.mark_slow(due.subscription_id)
        self.hosts.mark_slow(attempt.host_key)

    def drop_prefetched(self, *, clock: float) -> list[DueDelivery]:
        """Start nothing more; answers those claims whose lease nobody else can have by now."""
        dropped, self._prefetched = self._prefetched, deque()
        for attempt in dropped:
            self._release(attempt, quick=False)
        return [
            attempt.due for attempt in dropped if clock - attempt.claimed_at < MAX_CLAIM_AGE_SECONDS
        ]

    def _count_at_risk(self, attempt: InFlightAttempt) -> None:
        attempt.at_risk = True
        self.bulkhead.acquire(attempt.due.organization_id)

    def _release(self, attempt: InFlightAttempt, *, quick: bool, success: bool = False) -> bool:
        due = attempt.due
        self._probes -= due.probe
        first = self.subscriptions.release(due.subscription_id, quick=quick, success=success)
        second = self.hosts.release(attempt.host_key, quick=quick, success=success)
        third = attempt.at_risk and self.bulkhead.release(due.organization_id)
        return first or second or third
