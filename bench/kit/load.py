"""A load generator that costs little: it shares its core with PostgreSQL, and is served first there.

Raw HTTP/1.1 on keep-alive connections; each sends its next request when the last one is answered.
"""

import asyncio
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from bench.kit.cores import served_first
from bench.kit.http import content_length

MOST_SECONDS = 120.0
PATIENCE_SECONDS = 20.0


class UnexpectedAnswer(Exception):
    """An answer with another status than the measurement is about."""


@dataclass(slots=True)
class Answers:
    """What came back: `latencies` in seconds, and the bodies where they are kept."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def milliseconds(self, percent: int) -> float:
        """The latency that `percent` of the requests stay within."""
        return statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1] * 1000


async def load(
    port: int,
    requests: Iterable[bytes],
    *,
    concurrency: int,
    seconds: float | None = None,
    status: int,
    keep: bool = False,
) -> Answers:
    """Send requests until there are no more or the time is over; `concurrency` are under way at any
    moment.

    With `keep` the bodies of the answers are kept. Raises UnexpectedAnswer on any other status than
    `status`, TimeoutError when answers stay away.
    """
    started = time.perf_counter()
    deadline = started + (MOST_SECONDS if seconds is None else seconds)
    run = _Run(iter(requests), deadline, b" %d " % status, keep)
    connections = [
        (
            await asyncio.get_running_loop().create_connection(
                lambda: _Connection(run), "127.0.0.1", port
            )
        )[1]
        for _ in range(concurrency)
    ]
    try:
        with served_first():
            async with asyncio.timeout(deadline - started + PATIENCE_SECONDS):
                await asyncio.gather(*(connection.done for connection in connections))
    finally:
        for connection in connections:
            connection.drop()
    run.answers.seconds = time.perf_counter() - started
    return run.answers


@dataclass(slots=True)
class _Run:
    requests: Iterator[bytes]
    deadline: float
    status: bytes
    keep: bool
    answers: Answers = field(default_factory=Answers)


class _Connection(asyncio.Protocol):
    def __init__(self, run: _Run) -> None:
        self._run = run
        self._transport: asyncio.Transport | None = None
        self._began = 0.0
        self._received = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._next(time.perf_counter())

    def data_received(self, data: bytes) -> None:
        received = self._received + data
        head = received.find(b"\r\n\r\n")
        if head < 0 or len(received) < (whole := head + 4 + content_length(received[:head])):
            self._received = received
            return
        self._received = b""
        at = time.perf_counter()
        self._run.answers.latencies.append(at - self._began)
        if self._run.status not in received[:16]:
            self._fail(UnexpectedAnswer(received.decode("utf-8", "replace")[:600]))
            return
        if self._run.keep:
            self._run.answers.bodies.append(received[head + 4 : whole])
        self._next(at)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionResetError("the server closed a connection"))

    def drop(self) -> None:
        if self._transport:
            self._transport.abort()

    def _next(self, at: float) -> None:
        request = next(self._run.requests, None) if at < self._run.deadline else None
        if request is not None:
            assert self._transport is not None
            self._began = time.perf_counter()
            self._transport.write(request)
        elif not self.done.done():
            self.done.set_result(None)

    def _fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
