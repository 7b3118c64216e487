"""Requests at a steady pace, as a small customer sends them: a slow answer does not put off the
next request.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

from bench.kit.http import content_length
from bench.kit.load import UnexpectedAnswer

PATIENCE_SECONDS = 60.0


@dataclass(slots=True)
class Paced:
    """Seconds that answers took, and how late this process itself was: its core is not its own."""

    latencies: list[float] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)


def milliseconds(seconds: list[float], percent: int) -> float:
    """What `percent` of them stay within."""
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] * 1000


async def paced(
    port: int,
    requests: Iterator[bytes],
    *,
    per_second: float,
    seconds: float,
    status: int,
    answered: Callable[[bytes], None] = lambda _: None,
) -> Paced:
    """Send so many a second, on as many connections as it takes, and wait for all answers;
    `answered` gets bodies.

    Raises UnexpectedAnswer on another status, TimeoutError when answers stay away.
    """
    result = Paced()
    idle: list[_Connection] = []
    waiting: list[asyncio.Future[None]] = []
    began = time.perf_counter()

    async def ask() -> None:
        idle[:] = [one for one in idle if one.open]  # the server lets go of what is not used
        connection = idle.pop() if idle else await _connection(port)
        head, body = await connection.ask(next(requests), result.latencies)
        idle.append(connection)
        if b" %d " % status not in head[:16]:
            raise UnexpectedAnswer((head + body).decode("utf-8", "replace")[:600])
        answered(body)

    for number in range(int(per_second * seconds)):
        due = began + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        result.lateness.append(max(0.0, time.perf_counter() - due))
        waiting.append(asyncio.ensure_future(ask()))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*waiting)
    finally:
        for one in waiting:
            one.cancel()
        for connection in idle:
            connection.drop()
    return result


async def _connection(port: int) -> "_Connection":
    return (await asyncio.get_running_loop().create_connection(_Connection, "127.0.0.1", port))[1]


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[tuple[bytes, bytes]] | None = None
        self._began = 0.0
        self._latencies: list[float] = []
        self.open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    async def ask(self, request: bytes, latencies: list[float]) -> tuple[bytes, bytes]:
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._began, self._latencies = time.perf_counter(), latencies
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        received = self._received + data
        head = received.find(b"\r\n\r\n")
        if head < 0 or len(received) < (whole := head + 4 + content_length(received[:head])):
            self._received = received
            return
        self._received = b""
        self._latencies.append(time.perf_counter() - self._began)
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((received[:head], received[head + 4 : whole]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(
                exc or ConnectionResetError("the server closed a connection")
            )

    def drop(self) -> None:
        if self._transport is not None:
            self._transport.abort()
