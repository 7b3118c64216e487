"""Rounds in which a process works off a known number of webhooks."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bench.kit.report import Row


@dataclass(frozen=True, slots=True)
class Drained:
    """One round: what one process (and PostgreSQL) spent on `messages`, told by `requests`."""

    messages: int
    requests: int
    seconds: float
    cpu_seconds: float
    database_cpu_seconds: float = 0.0

    @property
    def per_second(self) -> float:
        return self.messages / self.seconds


def row_of(name: str, rounds: Sequence[Drained]) -> Row:
    """The medians of the rounds, and the best rate."""
    return Row(
        name,
        {
            "per second": statistics.median(one.per_second for one in rounds),
            "best": max(one.per_second for one in rounds),
            "CPU µs": statistics.median(one.cpu_seconds / one.messages * 1e6 for one in rounds),
            "PostgreSQL CPU µs": statistics.median(
                one.database_cpu_seconds / one.messages * 1e6 for one in rounds
            ),
            "requests per message": statistics.median(
                one.requests / one.messages for one in rounds
            ),
        },
    )
