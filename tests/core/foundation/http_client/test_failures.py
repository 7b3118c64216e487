"""Peers that hang, drip, hang up or speak something else: one failed attempt each, never an
exception.
"""

import asyncio
from time import perf_counter

import pytest

from core.foundation.http_client import open_client, post
from tests.core.foundation.http_client.peers import (
    LOCAL_HTTP,
    Names,
    a_peer,
    a_request,
    answer,
    hangs,
    post_to,
)

NAMED = "http://receiver.example.com:8080/"


async def never_reads(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    await asyncio.sleep(60)


async def drips_its_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)


async def continues_for_ever(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    while not writer.is_closing():
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("behaviour", [hangs, never_reads, drips_its_head, continues_for_ever])
async def test_a_peer_without_a_status_in_time_is_a_timeout(behaviour: object) -> None:
    async with a_peer(behaviour) as peer, open_client(LOCAL_HTTP) as client:  # type: ignore[arg-type]
        started = perf_counter()
        reply = await post_to(client, peer, within=0.3)
        assert 0.28 < perf_counter() - started < 10
    assert (reply.status, reply.error, reply.body) == (None, "timeout", "")
    assert 280 < reply.latency_ms < 10_000


@pytest.mark.parametrize(
    "response",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x15\x03\x01\x00\x02\x02\x46",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"HTTP/9.9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000 + b"\r\n",
    ],
)
async def test_what_is_not_http_is_unreachable(response: bytes) -> None:
    async with a_peer(response) as peer, open_client(LOCAL_HTTP) as client:
        reply = await post_to(client, peer)
    assert (reply.status, reply.error) == (None, "unreachable")


async def closes(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await a_request(reader)


async def resets(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


@pytest.mark.parametrize("behaviour", [closes, resets])
async def test_a_peer_that_hangs_up_is_unreachable(behaviour: object) -> None:
    async with a_peer(behaviour) as peer, open_client(LOCAL_HTTP) as client:  # type: ignore[arg-type]
        reply = await post_to(client, peer)
    assert (reply.status, reply.error) == (None, "unreachable")


async def test_a_closed_port_is_unreachable() -> None:
    async with a_peer(answer()) as peer:
        pass
    async with open_client(LOCAL_HTTP) as client:
        assert (await post_to(client, peer)).error == "unreachable"


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        answer(b"ok") + answer(b"another that nobody asked for"),
    ],
)
async def test_a_connection_that_was_upgraded_or_says_too_much_is_not_used_again(
    response: bytes,
) -> None:
    async with a_peer(response) as peer, open_client(LOCAL_HTTP) as client:
        for _ in range(2):
            await post_to(client, peer, within=0.5)
    assert peer.connections == 2


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError("no such host"), "unreachable"),
        (UnicodeError("label too long"), "unreachable"),
        (AssertionError(), "unreachable"),
        (RecursionError(), "unreachable"),
        (TimeoutError(), "timeout"),
    ],
)
async def test_trouble_with_a_name_is_a_failed_attempt(error: Exception, expected: str) -> None:
    async with open_client(LOCAL_HTTP, resolver=Names(error)) as client:
        assert (await post(client, NAMED, body=b"", headers={})).error == expected


async def test_a_name_without_addresses_is_unreachable() -> None:
    async with open_client(LOCAL_HTTP, resolver=Names([])) as client:
        assert (await post(client, NAMED, body=b"", headers={})).error == "unreachable"


async def test_the_connect_timeout_includes_the_look_up() -> None:
    class Slow(Names):
        async def resolve(self, host: str) -> list[str]:  # noqa: ARG002
            await asyncio.sleep(60)
            return []

    async with open_client(LOCAL_HTTP, resolver=Slow()) as client:
        reply = await post(client, NAMED, body=b"", headers={}, timeout=9, connect_timeout=0.2)
    assert reply.error == "timeout"
    assert 180 < reply.latency_ms < 1_000
