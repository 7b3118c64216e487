"""What is kept of an answer's body, and what its body cannot do to us."""

import asyncio
import gzip
from time import perf_counter

import pytest

from core.foundation.http_client import open_client
from tests.core.foundation.http_client.peers import (
    LOCAL_HTTP,
    a_peer,
    a_request,
    answer,
    drips_its_body,
    post_to,
)
from tests.support.waiting import eventually


@pytest.mark.parametrize("size", [1, 4_095, 4_096])
async def test_a_body_of_up_to_four_kilobytes_is_kept_whole_and_so_is_the_connection(
    size: int,
) -> None:
    async with a_peer(answer(b"x" * size)) as peer, open_client(LOCAL_HTTP) as client:
        assert [len((await post_to(client, peer)).body) for _ in range(3)] == [size] * 3
    assert peer.connections == 1


@pytest.mark.parametrize("size", [4_097, 1_000_000])
async def test_of_a_longer_body_the_beginning_is_kept(size: int) -> None:
    async with a_peer(answer(b"x" * size)) as peer, open_client(LOCAL_HTTP) as client:
        assert [len((await post_to(client, peer)).body) for _ in range(3)] == [4_096] * 3


async def test_a_body_that_went_on_cost_its_connection() -> None:
    async with a_peer(answer(b"x" * 1_000_000)) as peer, open_client(LOCAL_HTTP) as client:
        for _ in range(3):
            await post_to(client, peer)
    assert peer.connections == 3


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"a\x00b", "a\ufffdb"),  # the database cannot store NUL
        (b"\xff\xfeok", "\ufffd\ufffdok"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        ("olá 😀".encode(), "olá 😀"),
        (b"x" * 4_095 + "é".encode(), "x" * 4_095 + "\ufffd"),  # cut in two
    ],
)
async def test_the_body_is_text_that_can_be_stored(body: bytes, text: str) -> None:
    response = answer(body, "200 OK", "Content-Type: text/plain; charset=utf-16")
    async with a_peer(response) as peer, open_client(LOCAL_HTTP) as client:
        assert (await post_to(client, peer)).body == text


async def test_a_compressed_bomb_is_not_inflated() -> None:
    bomb = answer(gzip.compress(b"0" * 10_000_000), "200 OK", "Content-Encoding: gzip")
    async with a_peer(bomb) as peer, open_client(LOCAL_HTTP) as client:
        reply = await post_to(client, peer)
    assert reply.status == 200
    assert len(reply.body) <= 4_096
    assert "000" not in reply.body


async def test_an_endless_body_is_left_after_four_kilobytes() -> None:
    sent = 0

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await a_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 1_024)
            sent += 1_024
            await writer.drain()

    async with a_peer(endless) as peer, open_client(LOCAL_HTTP) as client:
        reply = await post_to(client, peer)
        await asyncio.sleep(0.1)
        assert peer.closed == 1
    assert (reply.status, reply.error, reply.body) == (200, None, "x" * 4_096)
    assert sent < 20_000_000  # what the sockets' buffers hold, not two seconds of it


async def breaks_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 1000\r\n\r\nzz")
    await writer.drain()


async def garbles_its_chunks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    writer.write(b"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nzz\r\n")
    await asyncio.sleep(0.05)
    writer.write(b"nonsense\r\n")
    await reader.read()


@pytest.mark.parametrize("behaviour", [drips_its_body, breaks_off, garbles_its_chunks])
async def test_the_status_stands_whatever_becomes_of_the_body(behaviour: object) -> None:
    async with a_peer(behaviour) as peer, open_client(LOCAL_HTTP) as client:  # type: ignore[arg-type]
        started = perf_counter()
        reply = await post_to(client, peer, within=0.3)
        assert perf_counter() - started < 10
        await eventually(lambda: peer.closed == 1, "it is let go")
    assert (reply.status, reply.ok, reply.error) == (202, True, None)
    assert set(reply.body) <= {"z"}


@pytest.mark.parametrize(
    ("response", "status", "body"),
    [
        (b'HTTP/1.1 204 No Content\r\n\r\n{"ok":true}', 204, ""),
        (b'HTTP/1.1 204 No Content\r\nContent-Length: 11\r\n\r\n{"ok":true}', 204, ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more than that", 200, "ok"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n", 200, ""),
    ],
)
async def test_the_status_stands_when_the_wrong_body_comes_in_one_piece_with_it(
    response: bytes, status: int, body: str
) -> None:
    async with a_peer(response) as peer, open_client(LOCAL_HTTP) as client:
        replies = [await post_to(client, peer) for _ in range(2)]
    assert [(reply.status, reply.body, reply.error) for reply in replies] == [
        (status, body, None)
    ] * 2
    assert peer.connections == 2, "nobody knows what such a connection says next"
