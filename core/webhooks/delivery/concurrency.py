"""Adaptive concurrency limits: in-flight deliveries per subscription and host.

Nobody knows beforehand which receiver will hang. Each begins with a small limit and gets one more
with every quick answer. A slow attempt halves the limit, down to one attempt at a time, until the
receiver answers after all: then it is slow but well, and has nearly the initial limit. So a
receiver that hangs costs a slot or two, and a host that hangs under many subscriptions of an
organization not many more. Another organization's deliveries to that host have a limit of their
own: many customers are served from one host, and what hangs for one of them need not hang for the
others.
"""

from collections import OrderedDict
from dataclasses import dataclass

MAX_TRACKED = 10_000
"""Limits that are remembered; of more, the least recently used are evicted."""


@dataclass(frozen=True, slots=True)
class ConcurrencyBounds:
    """The limit at the beginning, at most and at least."""

    initial: int
    maximum: int
    minimum: int


SUBSCRIPTION_BOUNDS = ConcurrencyBounds(initial=4, maximum=128, minimum=1)
HOST_BOUNDS = ConcurrencyBounds(initial=16, maximum=256, minimum=4)


@dataclass(slots=True)
class ConcurrencyLimit:
    """The limit of one subscription, or of one organization at one host, and what is in flight."""

    limit: int
    in_flight: int = 0


def host_key(organization_id: str, host: str) -> str:
    """The name under which an organization's limit at a host (with its port) is kept."""
    return f"{organization_id} {host}"


class AdaptiveConcurrencyLimiter:
    """Limits of one kind, by name.

    `acquire` and `release` come in pairs, with at most one `mark_slow` between them.
    """

    def __init__(self, bounds: ConcurrencyBounds) -> None:
        self._bounds = bounds
        self._limits: OrderedDict[str, ConcurrencyLimit] = OrderedDict()

    def available(self, name: str, *, scarce: bool = False) -> int:
        """How many attempts may begin. When slots are `scarce`, only quick receivers get any."""
        known = self._limits.get(name)
        if known is None:
            return 1 if scarce else self._bounds.initial
        if scarce and known.limit < self._bounds.initial:
            return 0
        return max(0, known.limit - known.in_flight)

    def is_quick(self, name: str) -> bool:
        """Whether it has answered quickly, and since then more often than not."""
        known = self._limits.get(name)
        return known is not None and known.limit > self._bounds.initial

    def is_slow(self, name: str) -> bool:
        """Whether an attempt was slow, and since then more often than not."""
        known = self._limits.get(name)
        return known is not None and known.limit < self._bounds.initial

    def acquire(self, name: str) -> None:
        """An attempt begins."""
        known = self._limits.get(name)
        if known is None:
            known = self._limits[name] = ConcurrencyLimit(self._bounds.initial)
            self._evict()
        else:
            self._limits.move_to_end(name)
        known.in_flight += 1

    def mark_slow(self, name: str) -> None:
        """An attempt is slow: halve the limit."""
        known = self._limits[name]
        known.limit = max(self._bounds.minimum, known.limit // 2)

    def release(self, name: str, *, quick: bool, success: bool = False) -> bool:
        """An attempt is over; `success`: with 2xx, however late.

        Answers whether others may have waited for its slot.
        """
        known = self._limits[name]
        was_full = known.in_flight >= known.limit
        known.in_flight -= 1
        if quick:
            known.limit = min(self._bounds.maximum, known.limit + 1)
        elif success:  # one below the initial limit is how `is_slow` knows
            known.limit = max(known.limit, self._bounds.initial - 1)
        # Half empty is soon enough to be filled again: a claim for each slot would be a query for
        # each delivery.
        return was_full or known.in_flight * 2 == known.limit

    def _evict(self) -> None:
        while len(self._limits) > MAX_TRACKED:
            name, oldest = next(iter(self._limits.items()))
            if oldest.in_flight:
                return
            del self._limits[name]
