"""How many attempts of one organization may be under way that may hang: a bound of its own, so that
its hundreds of hanging hosts leave the others their places.

In doubt is whoever has not answered quickly before, and every attempt that takes long. Who is known
to take long gets half of these places at most, so that something is left for those of whom nothing
is known yet.
"""

from collections import Counter


class Doubtful:
    """The attempts in doubt of each organization, `most` of each; `enter` and `leave` come in
    pairs.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._most_slow = -(-most // 2)
        self._under_way: Counter[str] = Counter()
        self.waiting: set[str] = set()
        """Organizations that the last claim had no room for."""

    def room(self, organization_id: str, *, slow: bool) -> int:
        """How many more may begin, to receivers that are known to be `slow` or to unknown ones."""
        return max(0, (self._most_slow if slow else self._most) - self._under_way[organization_id])

    def is_exceeded(self, organization_id: str) -> bool:
        """Whether there are more than may begin: many that answered quickly have begun to take
        long.
        """
        return self._under_way[organization_id] > self._most

    def enter(self, organization_id: str) -> None:
        """An attempt in doubt begins, or one that was not takes long."""
        self._under_way[organization_id] += 1

    def leave(self, organization_id: str) -> bool:
        """An attempt is over. Answers whether others wait for it."""
        before = self._under_way[organization_id]
        if before == 1:
            del self._under_way[organization_id]
        else:
            self._under_way[organization_id] = before - 1
        return before in (self._most_slow, self._most) and organization_id in self.waiting
