"""Which of a name's addresses is connected to, and that no socket is left of the others."""

import asyncio
import socket
from typing import Any

import pytest

from core.foundation.http_client import open_client, post
from core.foundation.http_client.connecting import (
    HEAD_START_SECONDS,
    MAX_ADDRESSES,
    first_to_connect,
    in_turn,
)
from tests.core.foundation.http_client.peers import LOCAL_HTTP, Names, a_peer, answer, hangs
from tests.support.timeless import Timeless


@pytest.mark.parametrize(
    ("found", "tried"),
    [
        ([], []),
        (["1", "2"], ["1", "2"]),
        (["::1", "::2", "1", "2", "3"], ["::1", "1", "::2", "2", "3"]),
        (["1", "2", "::1"], ["1", "::1", "2"]),
    ],
)
def test_both_families_are_tried_by_turns(found: list[str], tried: list[str]) -> None:
    assert in_turn(found) == tried


class Sockets:
    """Addresses that take a connection after so many seconds; None: they refuse after one."""

    def __init__(self, **takes: float | None) -> None:
        self.takes = takes
        self.opened: dict[str, socket.socket] = {}
        self.tried: list[tuple[str, float]] = []

    async def connect(self, address: str) -> socket.socket:
        self.tried.append((address, asyncio.get_running_loop().time()))
        sock = self.opened[address] = socket.socket()
        try:
            seconds = self.takes[address]
            await asyncio.sleep(1 if seconds is None else seconds)
            if seconds is None:
                raise ConnectionRefusedError(address)
        except BaseException:
            sock.close()
            raise
        return sock

    def left_open(self) -> list[str]:
        return [address for address, sock in self.opened.items() if sock.fileno() != -1]


def raced(sockets: Sockets, *, within: float = 60) -> tuple[socket.socket, float]:
    async def run() -> tuple[socket.socket, float]:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(within):
            winner = await first_to_connect(list(sockets.takes), sockets.connect)
        at = loop.time()
        await asyncio.sleep(20)  # whoever comes late has come
        return winner, at

    with asyncio.Runner(loop_factory=Timeless) as runner:
        try:
            return runner.run(run())
        finally:
            runner.run(asyncio.sleep(0))


@pytest.mark.parametrize(
    ("takes", "winner", "at"),
    [
        ({"a": 0.1}, "a", 0.1),
        ({"a": 0.1, "b": 0.1}, "a", 0.1),
        ({"a": 9, "b": 0.1}, "b", HEAD_START_SECONDS + 0.1),
        ({"a": 9, "b": 9, "c": 0.1}, "c", 2 * HEAD_START_SECONDS + 0.1),
        ({"a": 0.5, "b": 9}, "a", 0.5),
        ({"a": None, "b": 9, "c": 9, "d": 9}, "b", HEAD_START_SECONDS + 9),
    ],
)
def test_the_first_that_answers_is_taken_and_the_others_are_closed(
    takes: dict[str, float | None], winner: str, at: float
) -> None:
    sockets = Sockets(**takes)
    taken, when = raced(sockets)
    assert sockets.left_open() == [winner]
    assert taken is sockets.opened[winner]
    assert when == pytest.approx(at)
    taken.close()


def test_an_address_that_fails_is_followed_at_once_and_the_first_failure_is_told() -> None:
    async def refuses(address: str) -> socket.socket:
        tried.append((address, asyncio.get_running_loop().time()))
        raise ConnectionRefusedError(address)

    tried: list[tuple[str, float]] = []
    with (
        asyncio.Runner(loop_factory=Timeless) as runner,
        pytest.raises(ConnectionRefusedError, match="a"),
    ):
        runner.run(first_to_connect(["a", "b", "c"], refuses))
    assert tried == [("a", 0), ("b", 0), ("c", 0)]


@pytest.mark.parametrize("takes", [{"a": 9}, {"a": 9, "b": 9}, {"a": None, "b": None, "c": 9}])
def test_who_gives_up_leaves_no_socket(takes: dict[str, float | None]) -> None:
    sockets = Sockets(**takes)
    with pytest.raises(TimeoutError):
        raced(sockets, within=2)
    assert sockets.left_open() == []


async def test_a_dead_address_of_a_name_costs_a_moment() -> None:
    # Nobody listens at the other address of this machine, at the peer's port.
    async with (
        a_peer(answer(b"ok")) as peer,
        open_client(LOCAL_HTTP, resolver=Names(["127.0.0.9", "127.0.0.1"])) as client,
    ):
        assert (await post(client, peer.url(host="receiver"), body=b"", headers={})).ok


async def test_of_many_addresses_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    loop = asyncio.get_running_loop()

    async def sock_connect(_: socket.socket, address: tuple[str, int]) -> None:
        tried.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(loop, "sock_connect", sock_connect)
    names = Names([f"127.0.0.{number}" for number in range(1, 100)])
    async with open_client(LOCAL_HTTP, resolver=names) as client:
        reply = await post(client, "http://receiver:8080/", body=b"", headers={})
    assert reply.error == "unreachable"
    assert len(tried) == MAX_ADDRESSES


# What is left of it -------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[socket.socket]:
    """Every socket that the client has made; those that servers accept are not among them."""
    made: list[socket.socket] = []

    class Remembered(socket.socket):
        def __init__(self, *args: Any, **of_a_server: Any) -> None:
            super().__init__(*args, **of_a_server)
            if not of_a_server:
                made.append(self)

    monkeypatch.setattr("core.foundation.http_client.connecting.socket.socket", Remembered)
    return made


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("steps", [*range(12), 20, 40])
async def test_whenever_a_post_is_cancelled_its_socket_is_closed(
    opened: list[socket.socket], scheme: str, steps: int
) -> None:
    async with a_peer(hangs) as peer, open_client(LOCAL_HTTP) as client:
        before = len(opened)
        task = asyncio.create_task(
            post(client, peer.url(scheme=scheme), body=b"x", headers={}, timeout=5)
        )
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.01)
        assert [sock.fileno() for sock in opened[before:]] in ([], [-1])
        assert client.pool.in_use == 0


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_when_time_is_up_no_socket_is_left(opened: list[socket.socket], scheme: str) -> None:
    async with a_peer(hangs) as peer, open_client(LOCAL_HTTP) as client:
        before = len(opened)
        reply = await post(
            client, peer.url(scheme=scheme), body=b"x", headers={}, timeout=0.3, connect_timeout=0.1
        )
        await asyncio.sleep(0.01)
        assert reply.error == "timeout"
        assert [sock.fileno() for sock in opened[before:]] == [-1]
