"""The same exchange on both event loops: production runs on uvloop, most tests on asyncio's."""

import asyncio
import gc
import ssl
import warnings
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from core.foundation.http_client import open_client, post
from tests.core.foundation.http_client.peers import (
    LOCAL_HTTP,
    Names,
    a_peer,
    a_request,
    answer,
    hangs,
)
from tests.core.foundation.http_client.test_tls import NAME, server_tls
from tests.support.waiting import eventually

__all__ = ["server_tls"]

OPEN = Path("/proc/self/fd")

Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a test on one of the loops, and sees to it that it leaves no descriptor open."""

    def run(test: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(asyncio.sleep(0.001))  # what the first loop opens for the process stays
        gc.collect()  # what earlier tests left to be collected is none of this one's
        before = open_descriptors()
        with warnings.catch_warnings(record=True) as unclosed:
            warnings.simplefilter("always", ResourceWarning)
            with asyncio.Runner(loop_factory=request.param) as runner:
                runner.run(test)
            gc.collect()
        assert open_descriptors() <= before
        assert not [str(warning.message) for warning in unclosed]

    return run


def open_descriptors() -> int:
    return len(list(OPEN.iterdir())) if OPEN.exists() else 0


def test_an_exchange_over_tls_keeps_its_connection(
    run: Run, server_tls: ssl.SSLContext, tmp_path: Path
) -> None:
    async def test() -> None:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        async with (
            a_peer(answer(b"ok"), tls=server_tls) as peer,
            open_client(LOCAL_HTTP, resolver=Names(["127.0.0.1"]), tls=trusted) as client,
        ):
            url = peer.url(host=NAME, scheme="https")
            replies = [await post(client, url, body=b"{}", headers={}) for _ in range(3)]
            assert [reply.body for reply in replies] == ["ok"] * 3
            assert peer.connections == 1
            assert client.pool.idle == 1

    run(test())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_whenever_posts_are_cancelled_nothing_is_left_open(
    run: Run, server_tls: ssl.SSLContext, tmp_path: Path, scheme: str
) -> None:
    async def answers_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await a_request(reader)
            await asyncio.sleep(0.002)
            writer.write(answer(b"ok"))

    async def test() -> None:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        tls = server_tls if scheme == "https" else None
        async with (
            a_peer(answers_late, tls=tls) as peer,
            open_client(LOCAL_HTTP, resolver=Names(["127.0.0.1"]), tls=trusted) as client,
        ):
            url = peer.url(host=NAME, scheme=scheme)
            for number in range(40):
                task = asyncio.create_task(post(client, url, body=b"{}", headers={}))
                await asyncio.sleep(number / 4_000)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert client.pool.in_use == 0
            await client.close()
            await eventually(lambda: peer.closed == peer.connections, "all are closed")

    run(test())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_peer_that_hangs_costs_no_socket(run: Run, scheme: str) -> None:
    async def test() -> None:
        async with a_peer(hangs) as peer, open_client(LOCAL_HTTP) as client:
            reply = await post(client, peer.url(scheme=scheme), body=b"", headers={}, timeout=0.2)
            assert reply.error == "timeout"
            await eventually(lambda: peer.closed == 1, "it is closed")

    run(test())
