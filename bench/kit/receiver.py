"""A receiver of webhooks that costs little: it answers 200 and remembers which messages it was told
about.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

from bench.kit.http import content_length

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
ID_LENGTH = 25
"""`msg_` and 21 characters."""


class NotAllArrived(Exception):
    """Some messages were never told about."""


class Receiver:
    """Told about messages by POST. `requests` counts all, `seen` holds each message once."""

    def __init__(self) -> None:
        self.port = 0
        self.requests = 0
        self.seen: set[bytes] = set()
        self._wanted = 0
        self._all_seen = asyncio.Event()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}/hooks"

    def expect(self, number: int) -> None:
        """Forget everything and begin to wait for so many different messages."""
        self.requests = 0
        self.seen.clear()
        self._wanted = number
        self._all_seen.clear()

    async def all_seen(self, *, within: float) -> None:
        """Return once all are there. Raises NotAllArrived after `within` seconds."""
        try:
            async with asyncio.timeout(within):
                await self._all_seen.wait()
        except TimeoutError:
            raise NotAllArrived(
                f"{len(self.seen)} of {self._wanted} messages after {within:.0f} s"
            ) from None

    def told(self, body: bytes) -> None:
        """Note one request."""
        start = body.index(b'"msg_') + 1
        self.requests += 1
        self.seen.add(body[start : start + ID_LENGTH])
        if len(self.seen) >= self._wanted:
            self._all_seen.set()


@asynccontextmanager
async def other_ports(here: Receiver, number: int) -> AsyncIterator[list[str]]:
    """As many addresses more under which the same receiver is told."""
    async with _ports(lambda: _Connection(here), number) as urls:
        yield urls


@asynccontextmanager
async def hanging_ports(number: int) -> AsyncIterator[list[str]]:
    """As many addresses that take every request and never answer."""
    async with _ports(asyncio.Protocol, number) as urls:
        yield urls


@asynccontextmanager
async def _ports(protocol: Callable[[], asyncio.Protocol], number: int) -> AsyncIterator[list[str]]:
    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(protocol, "127.0.0.1", 0) for _ in range(number)]
    try:
        yield [f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hooks" for server in servers]
    finally:
        for server in servers:
            server.close()


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver on a free port of this machine, in this process."""
    here = Receiver()
    server = await asyncio.get_running_loop().create_server(
        lambda: _Connection(here), "127.0.0.1", 0
    )
    here.port = server.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        server.close()


class _Connection(asyncio.Protocol):
    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._transport: asyncio.Transport | None = None
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        received = self._received + data
        head = received.find(b"\r\n\r\n")
        whole = head + 4 + content_length(received[:head]) if head >= 0 else 0
        if head < 0 or len(received) < whole:
            self._received = received
            return
        self._received = received[whole:]
        self._receiver.told(received[head + 4 : whole])
        assert self._transport is not None
        self._transport.write(ANSWER)
