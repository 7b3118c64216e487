"""Rounds of load on one process, and what they come to.

Other work on the machine comes and goes, so rounds of what is compared alternate, each round is
compared with its neighbour, and medians are reported.
"""

import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.kit.house import House
from bench.kit.load import Answers, load
from bench.kit.program import Program
from bench.kit.report import Row


@dataclass(frozen=True, slots=True)
class Round:
    """One round: rates in requests per second, times in milliseconds, CPU in microseconds per
    request.
    """

    per_second: float
    p50: float
    p99: float
    server_cpu: float
    database_cpu: float
    clients_cpu: float


async def load_round(
    house: House,
    server: Program,
    requests: Iterable[bytes],
    *,
    concurrency: int,
    seconds: float,
    status: int,
) -> Round:
    """Load the server for some seconds."""
    server_before, database_before = server.cpu_seconds, house.database_cpu_seconds()
    clients_before = time.process_time()
    answers = await load(
        server.port, requests, concurrency=concurrency, seconds=seconds, status=status
    )
    return _round(
        answers,
        server.cpu_seconds - server_before,
        house.database_cpu_seconds() - database_before,
        time.process_time() - clients_before,
    )


def _round(answers: Answers, server_cpu: float, database_cpu: float, clients_cpu: float) -> Round:
    each = 1e6 / len(answers.latencies)
    return Round(
        answers.per_second,
        answers.milliseconds(50),
        answers.milliseconds(99),
        server_cpu * each,
        database_cpu * each,
        clients_cpu * each,
    )


def row_of(name: str, rounds: Sequence[Round]) -> Row:
    """The medians of the rounds, and the best rate."""
    return Row(
        name,
        {
            "per second": _median(one.per_second for one in rounds),
            "best": max(one.per_second for one in rounds),
            "p50 ms": _median(one.p50 for one in rounds),
            "p99 ms": _median(one.p99 for one in rounds),
            "CPU µs": _median(one.server_cpu for one in rounds),
            "PostgreSQL CPU µs": _median(one.database_cpu for one in rounds),
            "clients' CPU µs": _median(one.clients_cpu for one in rounds),
        },
    )


def rate_ratio(rounds: Sequence[Round], floor: Sequence[Round]) -> float:
    """The rate against the floor's round beside it."""
    return _median(
        one.per_second / other.per_second for one, other in zip(rounds, floor, strict=True)
    )


def cpu_ratio(rounds: Sequence[Round], floor: Sequence[Round]) -> float:
    """What the rate would be against the floor's on a quiet machine, by the CPU that a request takes: the
    server has one core, PostgreSQL and the clients have the other, and the fuller one decides.
    """
    return _fuller_core(floor) / _fuller_core(rounds)


def _fuller_core(rounds: Sequence[Round]) -> float:
    return max(
        _median(one.server_cpu for one in rounds),
        _median(one.database_cpu + one.clients_cpu for one in rounds),
    )


def p99_ratio(rounds: Sequence[Round], floor: Sequence[Round]) -> float:
    """The slowest hundredth against that of the floor's round beside it."""
    return _median(one.p99 / other.p99 for one, other in zip(rounds, floor, strict=True))


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)
