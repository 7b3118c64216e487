"""Connections without a network: what a peer says arrives in exactly these pieces."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from core.foundation.http_client.client import GuardedClient
from core.foundation.http_client.connecting import Connector
from core.foundation.http_client.connection import HttpConnection
from core.foundation.http_client.pool import ConnectionPool
from core.foundation.http_client.request_head import HttpOrigin
from tests.core.foundation.http_client.peers import LOCAL_HTTP, Names
from tests.support.timeless import Timeless

URL = "http://127.0.0.1:8080/hook"
BODY = b'{"a":1}'

End = Literal["open", "closed", "reset"]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Script:
    """What a peer does with each request: pieces, one in each turn of the loop, and then the end of
    the connection.

    `later` comes in a turn of its own, when the answer has been taken and nobody has asked again.
    """

    pieces: Sequence[bytes]
    end: End = "open"
    later: bytes = b""


@dataclass
class Wire(asyncio.Transport):
    """The connection's end that is ours; the peer behind it follows its script."""

    script: Script
    protocol: HttpConnection
    loop: asyncio.AbstractEventLoop
    sent: bytearray = field(default_factory=bytearray)
    answered: int = 0
    fed: int = 0
    closing: bool = False
    paused: bool = False
    waiting: list[Callable[[], None]] = field(default_factory=list)
    unsent: int = 0
    """What the peer has not taken of a request, as far as we are told."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data
        head, _, body = bytes(self.sent).partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        if length and len(body) >= int(length) and not self.closing:
            self.sent.clear()
            self.answered += 1
            self.waiting += [lambda piece=piece: self._feed(piece) for piece in self.script.pieces]  # type: ignore[misc]
            self.waiting.append(self._ended)
            self.loop.call_soon(self._turn)

    def _turn(self) -> None:
        if self.waiting and not self.paused and not self.closing:
            self.waiting.pop(0)()
            self.loop.call_soon(self._turn)

    def _feed(self, piece: bytes) -> None:
        self.fed += len(piece)
        self.protocol.data_received(piece)

    def _ended(self) -> None:
        match self.script.end:
            case "closed":
                self.protocol.eof_received()
                self.close()
            case "reset":
                self._lose(ConnectionResetError("reset by peer"))

    def says_more(self) -> None:
        """Something that nobody asked for."""
        if self.script.later and not self.closing:
            self._feed(self.script.later)

    def _lose(self, error: Exception | None) -> None:
        if not self.closing:
            self.closing = True
            self.loop.call_soon(self.protocol.connection_lost, error)

    def close(self) -> None:
        self._lose(None)

    abort = close

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False
        self.loop.call_soon(self._turn)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ARG002 - of a transport
        return default


@dataclass
class Network:
    """The connections that one client has made, and what went wrong where nobody looks."""

    client: GuardedClient
    wires: list[Wire]
    complaints: list[dict[str, Any]]

    @property
    def pool(self) -> ConnectionPool:
        return self.client.pool

    def nothing_is_left_behind(self) -> None:
        """Every connection is either in the pool or closed, and none is counted as in use."""
        assert self.pool.in_use == 0
        assert self.pool.idle == sum(not wire.closing for wire in self.wires)
        assert not self.complaints, self.complaints


class Wired(Connector):
    """Connections that lead to peers with this script, and come about after so many turns."""

    def __init__(self, script: Script, *, connecting: int, unsent: int) -> None:
        super().__init__(LOCAL_HTTP, resolver=Names([]), tls=None)
        self.wires: list[Wire] = []
        self._script = script
        self._connecting = connecting
        self._unsent = unsent

    async def connect(self, origin: HttpOrigin, seconds: float) -> HttpConnection:  # noqa: ARG002
        await turns(self._connecting)
        connection = HttpConnection()
        loop = asyncio.get_running_loop()
        wire = Wire(self._script, connection, loop, unsent=self._unsent)
        self.wires.append(wire)
        connection.connection_made(wire)
        return connection


@contextmanager
def _a_loop(complaints: list[dict[str, Any]]) -> Iterator[Timeless]:
    loop = Timeless()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    try:
        yield loop
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def on_the_wire(
    script: Script,
    work: Callable[[Network], Awaitable[Result]],
    *,
    limit: int = 10,
    connecting: int = 0,
    unsent: int = 0,
) -> Result:
    """What `work` makes of a client whose every connection leads to a peer with this script.

    `connecting`: how many turns of the loop a connection takes to come about.
    """
    complaints: list[dict[str, Any]] = []

    async def run() -> Result:
        connector = Wired(script, connecting=connecting, unsent=unsent)
        client = GuardedClient(LOCAL_HTTP, connector=connector, limit=limit)
        try:
            return await work(Network(client, connector.wires, complaints))
        finally:
            await client.close()

    with _a_loop(complaints) as loop:
        result = loop.run_until_complete(run())
    assert not complaints, complaints
    return result


async def turns(count: int) -> None:
    """Let so many turns of the loop pass."""
    for _ in range(count):
        await asyncio.sleep(0)
