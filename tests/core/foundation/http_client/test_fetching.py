"""Fetching a long body: piece by piece, as fast as it is read, and whole or not at all."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import pytest

from core.foundation.http_client import (
    BrokenExchange,
    FetchedResponse,
    OutboundPolicy,
    OutboundRefused,
    fetch,
    open_client,
)
from core.foundation.http_client.fetching import MAX_WAITING_BYTES
from tests.core.foundation.http_client.peers import LOCAL_HTTP, Behaviour, Peer, a_peer

LONG = bytes(range(256)) * 8_000


def says(*pieces: bytes, stays: bool = False) -> Behaviour:
    """Answers each GET with these pieces; then hangs up, or `stays`."""

    async def behaviour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            if not stays:
                return

    return behaviour


async def fetched(peer: Peer, *, times: int = 1, **how: Any) -> list[bytes]:
    """What comes of fetching so often with one client."""
    bodies = []
    async with open_client(LOCAL_HTTP) as client:
        for _ in range(times):
            async with await fetch(client, peer.url(), **how) as response:
                bodies.append(b"".join([piece async for piece in response.pieces()]))
        assert client.pool.in_use == 0
    return bodies


LENGTH = b"HTTP/1.1 200 OK\r\nContent-Type: Image/PNG; q=1\r\nContent-Length: %d\r\n\r\n" % len(
    LONG
)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
OPEN = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "stays", "connections"),
    [
        ([LENGTH, LONG], True, 1),
        ([LENGTH + LONG], True, 1),
        ([CHUNKED, b"%x\r\n" % len(LONG), LONG, b"\r\n0\r\n\r\n"], True, 1),
        ([OPEN, LONG], False, 2),
        ([b"HTTP/1.1 103 Early Hints\r\n\r\n", LENGTH, LONG], True, 1),
    ],
)
async def test_a_body_arrives_whole(answer: Sequence[bytes], stays: bool, connections: int) -> None:
    async with a_peer(says(*answer, stays=stays)) as peer:
        assert await fetched(peer, times=2) == [LONG, LONG]
    assert peer.connections == connections


@pytest.mark.parametrize(
    "answer",
    [
        [LENGTH, LONG[:-1]],
        [CHUNKED, b"2\r\nok\r\n"],
        [CHUNKED, b"2\r\nok\r\nnonsense\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Le"],
        [b"SSH-2.0-OpenSSH_9.6\r\n"],
        [],
    ],
)
async def test_a_body_that_breaks_off_is_told_from_one_that_ends(answer: Sequence[bytes]) -> None:
    async with a_peer(says(*answer)) as peer:
        with pytest.raises(BrokenExchange):
            await fetched(peer)


async def test_a_reset_ends_no_body() -> None:
    async def resets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OPEN + b"beginning")
        await asyncio.sleep(0.05)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()

    async with a_peer(resets) as peer:
        with pytest.raises(BrokenExchange):
            await fetched(peer)


async def test_the_head_says_what_it_is_before_the_body_is_read() -> None:
    async with a_peer(says(LENGTH)) as peer, open_client(LOCAL_HTTP) as client:
        async with await fetch(client, peer.url(), headers={"Authorization": "x"}) as response:
            assert (response.status, response.content_type) == (200, "image/png")
        assert (client.pool.in_use, client.pool.idle) == (0, 0), "what was not read is not kept"


async def test_the_request_has_no_body() -> None:
    async def reads(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    requests: list[bytes] = []
    async with a_peer(reads) as peer:
        assert await fetched(peer) == [b""]
    assert requests[0].startswith(b"GET /hook HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"content-length" not in requests[0].lower()


async def test_what_nobody_reads_is_not_read_from_the_socket() -> None:
    sent = 0

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OPEN)
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536

    async with (
        a_peer(endless) as peer,
        open_client(LOCAL_HTTP) as client,
        await fetch(client, peer.url()) as response,
    ):
        pieces = response.pieces()
        first = await anext(pieces)
        await asyncio.sleep(0.1)
        stands = sent
        await asyncio.sleep(0.1)
        assert sent == stands
        more = [await anext(pieces) for _ in range(5)]
        assert all(len(piece) < MAX_WAITING_BYTES + 1024 * 1024 for piece in [first, *more])
        await asyncio.sleep(0.1)
        assert sent > stands, "reading goes on"


@pytest.mark.parametrize("how", [{"timeout": 0.2}, {"idle_timeout": 0.2}])
@pytest.mark.parametrize("begun", [b"", LENGTH, LENGTH + b"beginning"])
async def test_a_fetch_has_an_end(how: dict[str, Any], begun: bytes) -> None:
    async def hangs(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begun)
        await reader.read()

    async with a_peer(hangs) as peer:
        with pytest.raises(TimeoutError):
            await fetched(peer, **how)


async def test_a_slow_body_has_no_end_but_the_time_for_the_whole() -> None:
    async def drips(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OPEN)
        for _ in range(20):
            writer.write(b"z")
            await asyncio.sleep(0.02)

    async with a_peer(drips) as peer:
        assert await fetched(peer, idle_timeout=5) == [b"z" * 20]
        with pytest.raises(TimeoutError):
            await fetched(peer, timeout=0.2, idle_timeout=5)


async def test_a_client_that_is_closed_breaks_it_off() -> None:
    async with a_peer(says(OPEN, stays=True)) as peer, open_client(LOCAL_HTTP) as client:
        response = await fetch(client, peer.url())
        reading = asyncio.ensure_future(_first_of(response))
        await asyncio.sleep(0.05)
        await client.close()
        with pytest.raises(BrokenExchange):
            await reading
        response.close()
        with pytest.raises(BrokenExchange):
            await fetch(client, peer.url())


async def _first_of(response: FetchedResponse) -> bytes:
    return await anext(response.pieces())


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://10.0.0.1/", "ssrf_blocked"),
        ("http://93.184.215.14/", "insecure_scheme"),
        ("https://user@example.com/", "invalid_url"),
    ],
)
async def test_an_address_that_is_not_allowed_is_not_fetched(url: str, reason: str) -> None:
    async with open_client(OutboundPolicy()) as client:
        with pytest.raises(OutboundRefused) as refused:
            await fetch(client, url)
    assert refused.value.reason == reason
