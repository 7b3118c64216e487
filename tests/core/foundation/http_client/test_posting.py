"""One POST: what goes over the wire, which answers are good ones, and what is no failure of the
peer.
"""

import asyncio

import pytest

from core.foundation.http_client import BrokenExchange, ClientClosed, open_client, post
from tests.core.foundation.http_client.peers import (
    LOCAL_HTTP,
    a_peer,
    answer,
    drips_its_body,
    hangs,
    post_to,
)
from tests.support.waiting import eventually


async def test_the_request_says_what_it_must_and_no_more() -> None:
    headers = {"Content-Type": "application/json", "X-SVC-Event": "sms.delivered"}
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        await post(client, peer.url("/hook?a=1#f"), body=b'{"a":1}', headers=headers)
    head, _, body = peer.requests[0].partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first == "POST /hook?a=1 HTTP/1.1"
    assert dict(line.split(": ") for line in lines) == {
        "Host": f"127.0.0.1:{peer.port}",
        "User-Agent": "SVC/1",
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "X-SVC-Event": "sms.delivered",
        "Content-Length": "7",
    }
    assert body == b'{"a":1}'


@pytest.mark.parametrize(
    "status", [200, 201, 202, 299, 300, 301, 308, 400, 401, 404, 410, 429, 500, 503, 599]
)
async def test_every_status_is_an_answer_and_only_2xx_is_ok(status: int) -> None:
    async with (
        a_peer(answer(b"hello", f"{status} Whatever")) as peer,
        open_client(LOCAL_HTTP) as client,
    ):
        reply = await post_to(client, peer)
    assert (reply.status, reply.error, reply.body) == (status, None, "hello")
    assert reply.ok is (status < 300)
    assert 0 <= reply.latency_ms < 1_000


@pytest.mark.parametrize(
    "empty", [answer(b"", "204 No Content"), b"HTTP/1.1 204 No Content\r\n\r\n", answer(b"")]
)
async def test_an_empty_answer_keeps_the_connection(empty: bytes) -> None:
    async with a_peer(empty) as peer, open_client(LOCAL_HTTP) as client:
        assert [(await post_to(client, peer)).body for _ in range(3)] == [""] * 3
    assert peer.connections == 1


async def test_the_wait_that_a_server_asks_for_is_handed_on() -> None:
    busy = answer(b"", "503 Busy", "Retry-After: 120")
    async with a_peer(busy) as peer, open_client(LOCAL_HTTP) as client:
        assert (await post_to(client, peer)).retry_after == 120


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("not a url", "invalid_url"),
        ("https://user:pass@example.com/", "invalid_url"),
        ("http://8.8.8.8/", "insecure_scheme"),
        ("https://10.0.0.1/", "ssrf_blocked"),
        ("https://0x7f.1/", "ssrf_blocked"),
    ],
)
async def test_a_refused_url_is_a_reply_too(url: str, expected: str) -> None:
    async with open_client(LOCAL_HTTP) as client:
        reply = await post(client, url, body=b"", headers={})
    assert (reply.status, reply.ok, reply.error) == (None, False, expected)


async def test_a_header_cannot_smuggle_another() -> None:
    async with a_peer(answer()) as peer, open_client(LOCAL_HTTP) as client:
        reply = await post(
            client, peer.url(), body=b"", headers={"X-A": "b\r\nX-SVC-Event: forged"}
        )
    assert reply.error == "unreachable"
    assert peer.requests == []


@pytest.mark.parametrize("behaviour", [hangs, drips_its_body])
async def test_a_cancelled_post_is_cancelled_and_leaves_no_connection(behaviour: object) -> None:
    async with a_peer(behaviour) as peer, open_client(LOCAL_HTTP) as client:  # type: ignore[arg-type]
        task = asyncio.create_task(post_to(client, peer))
        await eventually(lambda: peer.connections == 1, "the peer is connected to")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await eventually(lambda: peer.closed == 1, "the connection is closed")
        assert peer.connections == 1


async def test_our_own_shutdown_is_not_the_failure_of_the_peer() -> None:
    async with a_peer(hangs) as peer, open_client(LOCAL_HTTP) as client:
        task = asyncio.create_task(post_to(client, peer))
        await asyncio.sleep(0.1)
        await client.close()
        with pytest.raises(BrokenExchange):
            await task
        with pytest.raises(ClientClosed):
            await post_to(client, peer)
