"""How what is delivered to clients goes on: taken, tried again, or given up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from core.foundation.database import db

LEASE = timedelta(seconds=90)
"""How long what is being delivered is nobody else's: for the client's window and its answer."""
WAITS = timedelta(hours=72)
"""How long it waits for a receiver."""
SHOWN = timedelta(days=7)
"""How long what has expired is shown."""
AT_ONCE = 10_000
"""Rows that expire, or are deleted, by one statement."""
RETRIES = tuple(timedelta(seconds=seconds) for seconds in (1, 5, 30, 120, 600))
MAX_REFUSALS = 3


class Ended(StrEnum):
    """What became of a delivery."""

    TAKEN = "taken"
    LATER = "later"
    REFUSED = "refused"


class Due(Protocol):
    """What was to be delivered, after so many attempts."""

    @property
    def id(self) -> Any: ...
    @property
    def attempts(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Settlements:
    """The statements by which what is due in a table goes on: `taken` of the ids of what is done with,
    `dead` of those that are given up and when, `later` of ids and when each is due again.
    """

    taken: str
    dead: str
    later: str

    async def settle(self, outcomes: Sequence[tuple[Due, Ended]], *, at: datetime) -> int:
        """Forget those that were taken, put the others off. Answers how many are given up."""
        settled = settled_of([(one.id, one.attempts, ended) for one, ended in outcomes], at=at)
        await db.execute_for(settled.taken, self.taken, settled.taken)
        await db.execute_for(settled.dead, self.dead, settled.dead, at)
        await db.execute_for(settled.later, self.later, *db.columns(settled.later, 2))
        return len(settled.dead)


class Settled(NamedTuple):
    """`taken`: what is done with; `dead`: what was refused too often; `later`: when the others are due."""

    taken: list[Any]
    dead: list[Any]
    later: list[tuple[Any, datetime]]


def settled_of(outcomes: Sequence[tuple[Any, int, Ended]], *, at: datetime) -> Settled:
    """What follows from the outcomes. Each is of an id, after so many attempts."""
    settled = Settled([], [], [])
    for id, attempts, ended in outcomes:
        if ended is Ended.TAKEN:
            settled.taken.append(id)
        elif ended is Ended.REFUSED and attempts >= MAX_REFUSALS:
            settled.dead.append(id)
        else:
            settled.later.append((id, at + RETRIES[min(attempts, len(RETRIES)) - 1]))
    return settled
