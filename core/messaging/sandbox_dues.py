"""What of a channel comes due in a sandbox whose clock is moved."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Protocol


class Drain(Protocol):
    """Does a batch of what is due at an instant. Answers how much it took."""

    async def __call__(self, *, at: datetime) -> int: ...


class DueStage(Enum):
    """When something happens among all that is due at one instant, in this order."""

    REPORTS = auto()
    """What the sandbox tells of messages that have left."""
    QUEUE = auto()
    """Messages that leave."""
    OUTBOX = auto()
    """Those that leave by way of an outbox."""
    OUTCOMES = auto()
    """Messages whose outcome nobody knows."""
    DISPATCHES = auto()
    """What leaves many at a time."""


@dataclass(frozen=True, slots=True)
class ChannelDue:
    """Something that comes due. `next`: the SQL of when it does first, for the organization $1.
    `drain`: how it is done, for one movement of a clock.
    """

    name: str
    stage: DueStage
    next: str
    drain: Callable[[], Drain]


class _Rounds(Protocol):
    def round(self, *, at: datetime) -> Awaitable[tuple[int, bool]]: ...


def in_rounds(dispatcher: Callable[[], _Rounds]) -> Callable[[], Drain]:
    """By a dispatcher of its own, a round for each batch."""

    def begin() -> Drain:
        rounds = dispatcher()

        async def drain(*, at: datetime) -> int:
            taken, _ = await rounds.round(at=at)
            return taken

        return drain

    return begin
