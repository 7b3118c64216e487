"""What one seed writes for one owner: which rows these are, and the chance that shapes them."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import shake_256
from random import Random

from cli.seed.team import Team
from core.foundation.ids import BASE62, LENGTH
from core.foundation.security.caller import Caller

CHUNK = 20_000
"""Rows of a part that are drawn, written and committed together."""

Tell = Callable[[str, int, int], None]
"""Hears of progress: the part, how many of its rows are there, how many there will be."""

_TO_BASE62 = bytes(ord(BASE62[byte % 62]) for byte in range(256))
_UNEVEN = bytes(range(248, 256))
_HEAD = 4
"""How many characters the ids of a chunk have in common."""
_BEGINNINGS = 62**_HEAD


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rows `first` up to before `last` of a part, counted from 0."""

    number: int
    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Run:
    """A seed at work for an owner.

    What is drawn depends on the seed alone, so two organizations get the same people and the same
    months; ids also depend on the owner, so that they never meet. `as_of` is the end of all that
    happens. `team`: whose companies and deals are. `counts`: how many rows the parts have that this
    seed has written already.
    """

    caller: Caller
    seed: int
    as_of: datetime
    days: int
    tell: Tell
    team: Team
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def owner(self) -> tuple[str, str]:
        """Organization id and environment."""
        return (self.caller.organization_id, self.caller.env)

    @property
    def begin(self) -> datetime:
        """The first moment of the messages."""
        return self.as_of - timedelta(days=self.days)

    def random(self, part: str, chunk: int | None = None) -> Random:
        """A source of chance that is the same in every run."""
        return Random(f"{self.seed}:{part}:{chunk}")  # noqa: S311 - it has to be foreseeable

    def ids(self, prefix: str, part: str, chunk: Chunk) -> list[str]:
        """The public ids of a chunk's rows, in rising order.

        They begin where those of the chunk before it ended: an index takes a row next to the one
        before it several times faster.
        """
        name = f"{':'.join(self.owner)}:{self.seed}:{part}"
        begin = (
            int.from_bytes(shake_256(name.encode()).digest(8)) % (_BEGINNINGS // 2) + chunk.number
        )
        head = f"{prefix}_" + "".join(
            BASE62[begin // 62**power % 62] for power in reversed(range(_HEAD))
        )
        rest = LENGTH - _HEAD
        size = len(chunk) * rest
        # One byte in 32 is left out. What is drawn in excess does not change what comes before it.
        noise = shake_256(f"{name}:{chunk.number}".encode()).digest(size + size // 16 + 256)
        text = noise.translate(_TO_BASE62, _UNEVEN).decode("ascii")
        return sorted([head + text[place : place + rest] for place in range(0, size, rest)])

    def ids_at(self, prefix: str, part: str, places: Iterable[int]) -> dict[int, str]:
        """The public ids of some rows of a part that was written before, by their places."""
        count = self.counts.get(part, 0)
        of_chunks: dict[int, list[str]] = {}
        found = {}
        for place in places:
            number, turn = divmod(place, CHUNK)
            if number not in of_chunks:
                chunk = Chunk(number, number * CHUNK, min((number + 1) * CHUNK, count))
                of_chunks[number] = self.ids(prefix, part, chunk)
            found[place] = of_chunks[number][turn]
        return found


def came_at(run: Run, share: float, since: timedelta) -> datetime:
    """When this share of all had come, if that began `since` ago and twice as many a day come in
    the end.
    """
    return run.as_of - since * (1 - (math.sqrt(1 + 3 * share) - 1))


def chunks_of(count: int) -> list[Chunk]:
    """The chunks of a part of so many rows."""
    return [
        Chunk(number, first, min(first + CHUNK, count))
        for number, first in enumerate(range(0, count, CHUNK))
    ]
