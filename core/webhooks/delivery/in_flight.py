"""Who may be posted when: what is claimed waits for a place, and who keeps his place for long
stands aside.

All of this is counting: `clock` is what a monotonic clock says, in seconds.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from core.webhooks.delivery.bulkhead import Doubtful
from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.concurrency import HOST, SUBSCRIPTION, Lanes, host_lane

IN_FLIGHT = 512
"""Attempts that have only just begun."""
AHEAD = 256
"""Claimed deliveries that wait for a place: what is posted while the next claim is under way."""
HELD_UP = 512
"""Attempts that have taken longer than a moment: they stand aside and take none of the places
above.
"""
DOUBTFUL = 96
"""Attempts of one organization that may hang: with the probes fewer than make places scarce for
everybody.
"""
MOST_CONNECTIONS = IN_FLIGHT + HELD_UP + 1
QUICK_SECONDS = 1.0
STALE_SECONDS = 30.0
"""A claim of this age is left alone: an attempt takes up to 15 seconds and must end before the
lease does.
"""
PROBES = 128
"""Probes of failing subscriptions under way."""


@dataclass(eq=False, slots=True)
class Attempt:
    """A claimed delivery: it waits for a place, and then is under way."""

    due: DueDelivery
    claimed: float
    host_lane: str
    """The lane that it shares with its organization's other attempts to the host."""
    started: float = 0.0
    doubtful: bool = False
    """It counts among its organization's attempts that may hang."""
    held_up: bool = False
    crowds: bool = False
    """It is held up, and makes places scarce for everybody."""
    over: bool = False


class Places:
    """The places of one process. What is claimed has places in its lanes from then on, until it
    ends.
    """

    def __init__(self, *, in_flight: int, ahead: int, held_up: int, doubtful: int) -> None:
        self.most = in_flight
        self._most_ahead = ahead
        self._most_held_up = held_up
        self.subscriptions = Lanes(SUBSCRIPTION)
        self.hosts = Lanes(HOST)
        self.doubtful = Doubtful(doubtful)
        self._ahead: deque[Attempt] = deque()
        self._young: deque[Attempt] = deque()
        self._under_way = 0
        self._held_up = 0
        self._crowd = 0
        self._probes = 0

    @property
    def taken(self) -> bool:
        """Whether anything is claimed or under way."""
        return bool(self._under_way or self._ahead)

    @property
    def ahead(self) -> bool:
        """Whether anything waits for a place."""
        return bool(self._ahead)

    @property
    def room(self) -> int:
        """How many more may be claimed."""
        return self._free + self._most_ahead - len(self._ahead)

    @property
    def room_for_probes(self) -> int:
        """The same for probes."""
        return min(self.room, PROBES - self._probes)

    @property
    def worth_a_claim(self) -> bool:
        """A few free places are not worth a query."""
        return self.room * 4 >= self.most

    @property
    def scarce(self) -> bool:
        """Whether so many stand aside that only those who answer quickly should get a place.

        Of one organization no more count than may be in doubt: what it has above that is no reason
        to refuse others.
        """
        return self._crowd * 2 >= self._most_held_up

    @property
    def _free(self) -> int:
        """Those that were held up leave their places, as long as there is somewhere to stand."""
        return self.most + min(self._held_up, self._most_held_up) - self._under_way

    def take(self, claimed: Sequence[DueDelivery], *, clock: float) -> None:
        """Let them wait; `clock`: when they were asked for."""
        for due in claimed:
            begun = Attempt(due, clock, host_lane(due.organization_id, due.host))
            if not (
                due.probe or self.subscriptions.is_quick(due.subscription_id)
            ):  # probes have a bound of their own
                self._doubt(begun)
            self._ahead.append(begun)
            self.subscriptions.enter(due.subscription_id)
            self.hosts.enter(begun.host_lane)
            self._probes += due.probe

    def next(self, *, clock: float) -> Attempt | None:
        """Who gets a place now. A claim that has waited for too long is left to its lease."""
        while self._ahead and self._free > 0:
            begun = self._ahead.popleft()
            if clock - begun.claimed < STALE_SECONDS:
                begun.started = clock
                self._under_way += 1
                self._young.append(begun)
                return begun
            self._leave(begun, quick=False)
        return None

    def end(self, begun: Attempt, *, well: bool = False) -> bool:
        """An attempt is over, `well` or not; answers whether others may have waited for the places
        of its lanes.
        """
        begun.over = True
        self._under_way -= 1
        self._held_up -= begun.held_up
        self._crowd -= begun.crowds
        return self._leave(begun, quick=not begun.held_up, well=well)

    def set_aside(self, *, clock: float) -> bool:
        """Who has taken longer than a moment stands aside; answers whether there are any.

        Those that were begun first come first: nobody else is looked at.
        """
        late, before = clock - QUICK_SECONDS, self._held_up
        while self._young and (self._young[0].over or self._young[0].started <= late):
            begun = self._young.popleft()
            if not begun.over:
                begun.held_up = True
                self._held_up += 1
                if not (begun.doubtful or begun.due.probe):
                    self._doubt(begun)
                begun.crowds = begun.due.probe or not self.doubtful.is_exceeded(
                    begun.due.organization_id
                )
                self._crowd += begun.crowds
                self.subscriptions.held_up(begun.due.subscription_id)
                self.hosts.held_up(begun.host_lane)
        return self._held_up > before

    def give_up(self, *, clock: float) -> list[DueDelivery]:
        """What waits gets no place any more; answers those that nobody else can have the lease of
        by now.
        """
        unbegun, self._ahead = self._ahead, deque()
        for one in unbegun:
            self._leave(one, quick=False)
        return [one.due for one in unbegun if clock - one.claimed < STALE_SECONDS]

    def _doubt(self, begun: Attempt) -> None:
        begun.doubtful = True
        self.doubtful.enter(begun.due.organization_id)

    def _leave(self, begun: Attempt, *, quick: bool, well: bool = False) -> bool:
        self._probes -= begun.due.probe
        first = self.subscriptions.leave(begun.due.subscription_id, quick=quick, well=well)
        second = self.hosts.leave(begun.host_lane, quick=quick, well=well)
        third = begun.doubtful and self.doubtful.leave(begun.due.organization_id)
        return first or second or third
