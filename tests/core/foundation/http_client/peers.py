"""Servers that behave badly, and a name server that lies, for the tests of
`core.foundation.http_client`.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network

from core.foundation.http_client import GuardedClient, OutboundPolicy, PostResult, post

LOCAL_HTTP = OutboundPolicy(allow_http=True, allow_networks=(ip_network("127.0.0.0/8"),))

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class Peer:
    """A server on 127.0.0.1: how often it was connected to, and each request as it came over the
    wire.
    """

    port: int
    connections: int = 0
    closed: int = 0
    requests: list[bytes] = field(default_factory=list)

    def url(self, path: str = "/hook", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@asynccontextmanager
async def a_peer(
    behaviour: Behaviour | bytes, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Peer]:
    """A peer that does `behaviour` with each connection, or answers every request with these bytes."""
    tasks: set[asyncio.Task[None]] = set()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        peer.connections += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                if isinstance(behaviour, bytes):
                    while True:
                        peer.requests.append(await a_request(reader))
                        writer.write(behaviour)
                        await writer.drain()
                else:
                    await behaviour(reader, writer)
        finally:
            peer.closed += 1
            tasks.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=tls)
    peer = Peer(server.sockets[0].getsockname()[1])
    try:
        yield peer
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def a_request(reader: asyncio.StreamReader) -> bytes:
    """One whole request, head and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return head + await reader.readexactly(length)


async def post_to(
    client: GuardedClient, peer: Peer, path: str = "/hook", *, within: float = 2
) -> PostResult:
    """A small POST to the peer, given up after `within` seconds."""
    return await post(client, peer.url(path), body=b'{"a":1}', headers={}, timeout=within)


async def hangs(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """Reads and says nothing, until the other side hangs up."""
    await reader.read()


async def drips_its_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Promises a thousand bytes and sends fifty a second."""
    await a_request(reader)
    writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 1000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"z")
        await asyncio.sleep(0.02)


def answer(body: bytes = b"", status: str = "200 OK", *headers: str) -> bytes:
    """A whole response."""
    head = "".join(
        f"{line}\r\n"
        for line in (f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "")
    )
    return head.encode() + body


class Names:
    """A `Resolver`: a name server whose answers are given in advance, one list of addresses after the other."""

    def __init__(self, *answers: list[str] | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.closed = False

    async def resolve(self, host: str) -> list[str]:
        self.asked.append(host)
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(given, Exception):
            raise given
        return list(given)

    async def close(self) -> None:
        self.closed = True
