"""How many messages a second an operator is handed: its rate, halved where it says that it is too much."""

import asyncio
from collections.abc import Callable

SLOWEST = 1.0
FASTEST = 10_000.0
GROWTH = 1.1
"""By which the rate grows again each second."""
HALVED_AT_MOST_EVERY = 1.0


class Pace:
    """Turns, one after the other, none later than their caller would wait."""

    def __init__(self, rate: float | None, clock: Callable[[], float] | None = None) -> None:
        self._most = rate or FASTEST
        self._clock = clock or asyncio.get_running_loop().time
        self._slowed_to = self._most
        self._slowed_at = self._next = self._second_began = self._clock()
        self._taken = self._taken_before = 0

    @property
    def rate(self) -> float:
        """Messages a second, now."""
        seconds = min(self._clock() - self._slowed_at, 200)
        return min(self._most, self._slowed_to * float(GROWTH**seconds))

    def turn(self, *, before: float) -> float | None:
        """For how many seconds to wait for the next turn; None where that is too late."""
        at = self._clock()
        turn = max(self._next, at)
        if turn > before:
            return None
        self._next = turn + 1 / self.rate
        if at - self._second_began >= 1:
            self._second_began, self._taken_before, self._taken = at, self._taken, 0
        self._taken += 1
        return turn - at

    def slow_down(self) -> None:
        """The operator was handed too much: half of it from now on, at most once a second."""
        at = self._clock()
        if at - self._slowed_at < HALVED_AT_MOST_EVERY and self._slowed_to < self._most:
            return
        lately = float(max(self._taken_before, self._taken, 1))
        self._slowed_to = max(SLOWEST, min(self.rate, lately) / 2)
        self._slowed_at = at
        self._next = max(self._next, at + 1 / self._slowed_to)
