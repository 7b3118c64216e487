"""Where the network breaks decides: before the hand-over a send has failed, after it nobody knows."""

import asyncio

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from core.providers.contracts import Failed, LookupFailed, Outgoing, Unknown
from core.providers.gateway import Gateway, open_session
from tests.core.foundation.http_client.peers import (
    a_peer,
    a_request,
    answer,
    drips_its_body,
    hangs,
)

SMS = Outgoing("msg_000000000000000000001", "sms", "+5511987654321", "Oi", None, "premium", None)
SECRET = "the gateway's shared secret"


def a_client(
    session: aiohttp.ClientSession, port: int, *, scheme: str = "http", host: str = "127.0.0.1"
) -> Gateway:
    return Gateway(f"{scheme}://{host}:{port}/", SECRET, session, seconds=0.4)


# Nothing was handed over --------------------------------------------------------------------------


async def test_a_closed_port_is_failed() -> None:
    async with a_peer(answer()) as peer:
        pass
    async with open_session() as session:
        assert await a_client(session, peer.port).send(SMS) == Failed()
        assert await a_client(session, peer.port).look_up(SMS.id) == LookupFailed()


class Troubled(AbstractResolver):
    """A name server in trouble, or one that does not answer."""

    def __init__(self, trouble: Exception | None) -> None:
        self._trouble = trouble

    async def resolve(self, *_: object, **__: object) -> list[ResolveResult]:
        if self._trouble is None:
            await asyncio.sleep(60)
        raise self._trouble or AssertionError

    async def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("trouble", [OSError("no such name"), TimeoutError()])
async def test_a_name_that_leads_nowhere_is_failed(trouble: Exception) -> None:
    connector = aiohttp.TCPConnector(resolver=Troubled(trouble))
    async with aiohttp.ClientSession(connector=connector) as session:
        assert await a_client(session, 80, host="gateway.test").send(SMS) == Failed()


async def test_a_slow_name_server_is_failed() -> None:
    connector = aiohttp.TCPConnector(resolver=Troubled(None))
    async with aiohttp.ClientSession(connector=connector) as session:
        assert await a_client(session, 80, host="gateway.test").send(SMS) == Failed()


async def test_a_handshake_that_never_ends_is_failed_before_the_send_times_out() -> None:
    async with a_peer(hangs) as peer, open_session() as session:
        assert await a_client(session, peer.port, scheme="https").send(SMS) == Failed()


async def test_a_peer_without_tls_is_failed() -> None:
    async def speaks_plainly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer())
        await writer.drain()

    async with a_peer(speaks_plainly) as peer, open_session() as session:
        assert await a_client(session, peer.port, scheme="https").send(SMS) == Failed()


async def test_no_place_in_the_pool_is_failed() -> None:
    connector = aiohttp.TCPConnector(limit=1)
    async with a_peer(hangs) as peer, aiohttp.ClientSession(connector=connector) as session:
        client = a_client(session, peer.port)
        first = asyncio.create_task(client.send(SMS))
        await asyncio.sleep(0.05)
        assert await client.send(SMS) == Failed()
        assert await first == Unknown()
        assert peer.connections == 1


async def test_a_closed_session_is_failed() -> None:
    async with open_session() as session:
        pass
    assert await a_client(session, 80).send(SMS) == Failed()


# It may have arrived ------------------------------------------------------------------------------


async def closes(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await a_request(reader)


async def resets_half_way(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readexactly(10)
    writer.transport.abort()


async def breaks_off_its_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"reference": "x"}')
    await writer.drain()


async def continues_for_ever(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await a_request(reader)
    while not writer.is_closing():
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "behaviour",
    [
        hangs,
        closes,
        resets_half_way,
        breaks_off_its_answer,
        drips_its_body,
        continues_for_ever,
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\nxxxxx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{'reference':'x'}",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
    ],
)
async def test_a_connection_that_breaks_after_the_hand_over_leaves_the_outcome_unknown(
    behaviour: object,
) -> None:
    async with a_peer(behaviour) as peer, open_session() as session:  # type: ignore[arg-type]
        assert await a_client(session, peer.port).send(SMS) == Unknown()
        assert peer.connections == 1


async def test_an_idle_connection_that_died_leaves_the_outcome_unknown_and_is_not_tried_again() -> (
    None
):
    requests = 0

    async def answers_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        await a_request(reader)
        requests += 1
        writer.write(answer(b'{"reference":"x"}'))
        await a_request(reader)
        requests += 1

    async with a_peer(answers_once) as peer, open_session() as session:
        client = a_client(session, peer.port)
        await client.send(SMS)
        assert await client.send(SMS) == Unknown()
        assert (requests, peer.connections) == (2, 1)


async def test_a_session_that_is_closed_under_a_send_leaves_the_outcome_unknown() -> None:
    async with a_peer(hangs) as peer, open_session() as session:
        under_way = asyncio.create_task(a_client(session, peer.port).send(SMS))
        await asyncio.sleep(0.05)
        await session.close()
        assert await under_way == Unknown()


async def test_an_odd_fault_of_the_client_leaves_the_outcome_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def stumbles(*_: object, **__: object) -> None:
        raise AssertionError

    async with open_session() as session:
        monkeypatch.setattr(session, "request", stumbles)
        assert await a_client(session, 80).send(SMS) == Unknown()


# The session itself -------------------------------------------------------------------------------


async def test_the_surroundings_name_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with a_peer(answer(b'{"reference":"x"}')) as peer, open_session() as session:
        await a_client(session, peer.port).send(SMS)
        assert peer.connections == 1


def test_an_unknown_certificate_counts_as_not_connected() -> None:
    assert issubclass(aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorError)
