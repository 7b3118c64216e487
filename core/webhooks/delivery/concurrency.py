"""How many deliveries may be under way to one subscription, and of one organization to one host: as
many as are answered quickly.

Nobody knows beforehand who will hang. Each begins with a few places and gets one more with every
quick answer; whoever keeps one waiting is halved, down to one attempt at a time, until it answers
after all: then it is slow but well, and has nearly as many as at the beginning. So a receiver that
hangs costs a place or two, and a host that hangs under many subscriptions of an organization not
many more. Another organization's deliveries to that host have a lane of their own: many customers
are served from one host, and what hangs for one of them need not hang for the others.
"""

from collections import OrderedDict
from dataclasses import dataclass

MOST_KNOWN = 10_000
"""Lanes that are remembered; of more, those are forgotten that were used longest ago."""


@dataclass(frozen=True, slots=True)
class Width:
    """Places at the beginning, at most and at least."""

    first: int
    most: int
    least: int


SUBSCRIPTION = Width(first=4, most=128, least=1)
HOST = Width(first=16, most=256, least=4)


@dataclass(slots=True)
class Lane:
    """The attempts of one subscription, or of one organization to one host."""

    allowed: int
    under_way: int = 0


def host_lane(organization_id: str, host: str) -> str:
    """The name of an organization's lane to a host (with its port)."""
    return f"{organization_id} {host}"


class Lanes:
    """All lanes of one width; `enter` and `leave` come in pairs, with at most one `held_up` between
    them.
    """

    def __init__(self, width: Width) -> None:
        self._width = width
        self._lanes: OrderedDict[str, Lane] = OrderedDict()

    def room(self, name: str, *, scarce: bool = False) -> int:
        """How many attempts may begin. When places are `scarce`, only those get any that answer
        quickly.
        """
        lane = self._lanes.get(name)
        if lane is None:
            return 1 if scarce else self._width.first
        if scarce and lane.allowed < self._width.first:
            return 0
        return max(0, lane.allowed - lane.under_way)

    def is_quick(self, name: str) -> bool:
        """Whether it has answered quickly, and since then more often than not."""
        lane = self._lanes.get(name)
        return lane is not None and lane.allowed > self._width.first

    def is_slow(self, name: str) -> bool:
        """Whether it has kept somebody waiting, and since then more often than not."""
        lane = self._lanes.get(name)
        return lane is not None and lane.allowed < self._width.first

    def enter(self, name: str) -> None:
        """An attempt begins."""
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = Lane(self._width.first)
            self._forget()
        else:
            self._lanes.move_to_end(name)
        lane.under_way += 1

    def held_up(self, name: str) -> None:
        """An attempt takes long."""
        lane = self._lanes[name]
        lane.allowed = max(self._width.least, lane.allowed // 2)

    def leave(self, name: str, *, quick: bool, well: bool = False) -> bool:
        """An attempt is over; `well`: with success, however late. Answers whether others may have
        waited for it.
        """
        lane = self._lanes[name]
        was_full = lane.under_way >= lane.allowed
        lane.under_way -= 1
        if quick:
            lane.allowed = min(self._width.most, lane.allowed + 1)
        elif well:  # one fewer than at the beginning is how `room` knows who keeps it waiting
            lane.allowed = max(lane.allowed, self._width.first - 1)
        # Half empty is soon enough to be filled again: a claim for each place would be a query for
        # each delivery.
        return was_full or lane.under_way * 2 == lane.allowed

    def _forget(self) -> None:
        while len(self._lanes) > MOST_KNOWN:
            name, lane = next(iter(self._lanes.items()))
            if lane.under_way:
                return
            del self._lanes[name]
