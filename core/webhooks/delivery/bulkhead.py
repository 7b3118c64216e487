"""Bulkhead between organizations: a bound on one organization's attempts in flight that may hang.

With it, hundreds of hanging hosts of one organization leave the others their slots. At risk is
every attempt at a receiver that has not answered quickly before, and every attempt that is slow.
Receivers known to be slow get half of the bound at most, so that something is left for those of
whom nothing is known yet.
"""

from collections import Counter


class OrganizationBulkhead:
    """The attempts at risk of each organization, `maximum` of each.

    `acquire` and `release` come in pairs.
    """

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._maximum_slow = -(-maximum // 2)
        self._in_flight: Counter[str] = Counter()
        self.waiting: set[str] = set()
        """Organizations for which the last claim had no slots left."""

    def available(self, organization_id: str, *, slow: bool) -> int:
        """How many more may begin, at receivers that are known to be `slow` or at unknown ones."""
        maximum = self._maximum_slow if slow else self._maximum
        return max(0, maximum - self._in_flight[organization_id])

    def is_exceeded(self, organization_id: str) -> bool:
        """Whether more are in flight than may begin: many quick receivers have become slow."""
        return self._in_flight[organization_id] > self._maximum

    def acquire(self, organization_id: str) -> None:
        """An attempt at risk begins, or one that was not becomes slow."""
        self._in_flight[organization_id] += 1

    def release(self, organization_id: str) -> bool:
        """An attempt is over. Answers whether others wait for it."""
        before = self._in_flight[organization_id]
        if before == 1:
            del self._in_flight[organization_id]
        else:
            self._in_flight[organization_id] = before - 1
        return before in (self._maximum_slow, self._maximum) and organization_id in self.waiting
