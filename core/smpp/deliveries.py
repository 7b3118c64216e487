"""How what is delivered to clients goes on: taken, tried again, or given up."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

LEASE = timedelta(seconds=90)
"""How long what is being delivered is nobody else's: for the client's window and its answer."""
WAITS = timedelta(hours=72)
"""How long it waits for a receiver."""
RETRIES = tuple(timedelta(seconds=seconds) for seconds in (1, 5, 30, 120, 600))
MAX_REFUSALS = 3


class Ended(StrEnum):
    """What became of a delivery."""

    TAKEN = "taken"
    LATER = "later"
    REFUSED = "refused"


class Settled(NamedTuple):
    """`over`: what is done with; `later`: when the others are due; `given_up`: how many of the first
    were refused too often.
    """

    over: list[Any]
    later: list[tuple[Any, datetime]]
    given_up: int


def settled_of(outcomes: Sequence[tuple[Any, int, Ended]], *, at: datetime) -> Settled:
    """What follows from the outcomes. Each is of an id, after so many attempts."""
    settled = Settled([], [], 0)
    given_up = 0
    for id, attempts, ended in outcomes:
        is_given_up = ended is Ended.REFUSED and attempts >= MAX_REFUSALS
        given_up += is_given_up
        if ended is Ended.TAKEN or is_given_up:
            settled.over.append(id)
        else:
            settled.later.append((id, at + RETRIES[min(attempts, len(RETRIES)) - 1]))
    return settled._replace(given_up=given_up)
