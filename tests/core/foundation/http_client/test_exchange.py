"""How a request goes over the wire and when its connection may be used again."""

import asyncio

import pytest

from core.foundation.http_client import open_client, post
from tests.core.foundation.http_client.peers import LOCAL_HTTP, a_peer, a_request, answer, post_to

LARGE = 8 * 1024 * 1024
"""More than the buffers of both sides hold together."""


def head_of(request: bytes) -> list[str]:
    return request.partition(b"\r\n\r\n")[0].decode().split("\r\n")


async def test_a_header_given_replaces_that_of_the_client_whatever_its_case() -> None:
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        await post(
            client, peer.url("/a?b=c"), body=b"{}", headers={"user-agent": "mine", "X-A": "olá"}
        )
    head = head_of(peer.requests[0])
    assert head[0] == "POST /a?b=c HTTP/1.1"
    assert sorted(head[1:]) == sorted(
        [
            f"Host: 127.0.0.1:{peer.port}",
            "user-agent: mine",
            "Accept: */*",
            "Accept-Encoding: identity",
            "X-A: olá",
            "Content-Length: 2",
        ]
    )


async def test_the_length_is_that_of_the_body_whatever_a_header_says() -> None:
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        await post(client, peer.url(), body=b"12345", headers={"content-length": "1"})
    assert [line for line in head_of(peer.requests[0]) if "length" in line.lower()] == [
        "Content-Length: 5"
    ]


@pytest.mark.parametrize(
    "value", ["a\nX-B: c", "a\rX-B: c", "a\r\nX-B: c", "a\r\n\r\nPOST / HTTP/1.1", "a\0"]
)
@pytest.mark.parametrize("place", ["name", "value"])
async def test_a_line_break_in_a_header_sends_nothing(value: str, place: str) -> None:
    headers = {value: "x"} if place == "name" else {"X-A": value}
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        reply = await post(client, peer.url(), body=b"{}", headers=headers)
        assert (reply.status, reply.error) == (None, "unreachable")
        assert peer.requests == []
        assert (await post_to(client, peer)).ok, "the next one goes out"


@pytest.mark.parametrize("first", ["100 Continue", "102 Processing", "103 Early Hints"])
async def test_an_interim_answer_is_not_the_answer(first: str) -> None:
    interim = f"HTTP/1.1 {first}\r\nLink: </a>\r\n\r\n".encode()
    async with (
        a_peer(interim * 3 + answer(b"here", "201 Created")) as peer,
        open_client(LOCAL_HTTP) as client,
    ):
        replies = [await post_to(client, peer) for _ in range(2)]
    assert [(reply.status, reply.body) for reply in replies] == [(201, "here")] * 2
    assert peer.connections == 1


async def test_who_switches_protocols_is_not_spoken_to_again() -> None:
    switched = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nnoise"
    async with a_peer(switched) as peer, open_client(LOCAL_HTTP) as client:
        assert [(await post_to(client, peer)).status for _ in range(2)] == [101, 101]
    assert peer.connections == 2


async def test_a_large_body_arrives_whole() -> None:
    body = bytes(range(256)) * (LARGE // 256)
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        assert (await post(client, peer.url(), body=body, headers={})).ok
    assert peer.requests[0].partition(b"\r\n\r\n")[2] == body


async def test_an_answer_before_the_body_was_read_counts_and_costs_the_connection() -> None:
    async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer(b"too much", "413 Content Too Large"))
        await asyncio.Event().wait()

    async with a_peer(refuses) as peer, open_client(LOCAL_HTTP) as client:
        replies = [
            await post(client, peer.url(), body=b"x" * LARGE, headers={}, timeout=5)
            for _ in range(2)
        ]
    assert [(reply.status, reply.body) for reply in replies] == [(413, "too much")] * 2
    assert peer.connections == 2


async def test_what_is_left_over_from_one_answer_is_not_the_next_one() -> None:
    async def says_too_much(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await a_request(reader)
            writer.write(answer() + answer(b"smuggled", "202 Accepted"))

    async with a_peer(says_too_much) as peer, open_client(LOCAL_HTTP) as client:
        replies = [await post_to(client, peer) for _ in range(3)]
    assert [(reply.status, reply.body) for reply in replies] == [(200, "")] * 3
    assert peer.connections == 3
