"""How many sockets are told: in slices, in turn, and none of them waits for another."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from graphql import ExecutionResult
from structlog.testing import capture_logs

from graphql_api.subscriptions import broadcast as telling
from graphql_api.subscriptions import subscriber as backlog
from graphql_api.subscriptions.broadcast import RENEWED, SLICE, Broadcast
from graphql_api.subscriptions.outlet import Outlet
from graphql_api.subscriptions.protocol import Closing
from graphql_api.subscriptions.results import ResultFrames, ResultReader, SubscriptionResult
from graphql_api.subscriptions.subscriber import Subscriber, waiting
from tests.support.waiting import eventually


class Socket:
    """A client that reads at once, or, while it is `behind`, only what it is let."""

    def __init__(self, name: str, credential: str = "key") -> None:
        self.name = name
        self.credential = credential
        self.behind = False
        self.turns: list[int] = []
        self.read: list[Any] = []
        self.closings: list[Closing] = []
        self.looks = 0
        self.refusal: Closing | None = None
        self.may_read = asyncio.Semaphore(0)
        self.subscriber = Subscriber(
            Outlet(
                self.send,
                self.write,
                self.closings.append,
                self.still_welcome,
                credential,
                credential,
            ),
            ResultReader(name, None),
        )

    def write(self, frames: bytes) -> bool:
        if self.behind:
            return False
        self.turns.append(clock.turn)
        while frames:  # short ones: a byte of kind, a byte of length
            self.read.append(orjson.loads(frames[2 : 2 + frames[1]]))
            frames = frames[2 + frames[1] :]
        return True

    async def send(self, text: str) -> None:
        await self.may_read.acquire()
        self.read.append(orjson.loads(text))

    async def still_welcome(self) -> None:
        self.looks += 1
        if self.refusal:
            raise self.refusal


class Clock:
    """Counts turns of the loop."""

    turn = 0

    async def run(self) -> None:
        while True:
            self.turn += 1
            await asyncio.sleep(0)


clock = Clock()


@pytest.fixture
async def turns() -> AsyncIterator[None]:
    """The clock runs."""
    task = asyncio.create_task(clock.run())
    yield
    task.cancel()


class Stream:
    """Sockets of one owner, and what they are to be told."""

    def __init__(self, owner: str, sockets: list[Socket]) -> None:
        self.owner = owner
        self.sockets = sockets
        self.results: list[SubscriptionResult] = []

    @property
    def has_results(self) -> bool:
        return bool(self.results)

    @property
    def audience(self) -> list[Subscriber]:
        return [socket.subscriber for socket in self.sockets]

    def take(self) -> tuple[ResultFrames, list[Subscriber]]:
        results, self.results = self.results, []
        return ResultFrames(results), self.audience


def some(count: int, prefix: str = "") -> list[Socket]:
    return [Socket(f"{prefix}{number}") for number in range(count)]


def result(n: int) -> SubscriptionResult:
    return SubscriptionResult(ExecutionResult({"n": n}))


def told(n: int, id: str) -> dict[str, Any]:
    return {"type": "next", "id": id, "payload": {"data": {"n": n}}}


async def tell(broadcast: Broadcast, *streams: Stream) -> None:
    for stream in streams:
        broadcast.announce(stream)
    await eventually(lambda: broadcast._task is None, "all are told", every=0)


@pytest.mark.usefixtures("turns")
async def test_no_turn_of_the_loop_tells_more_than_a_slice_and_organizations_take_turns() -> None:
    large, small = Stream("org_1", some(10 * SLICE)), Stream("org_2", some(SLICE))
    for stream in (large, small):
        stream.results = [result(1), result(2)]
    await tell(Broadcast(), large, small)

    every = [socket for stream in (large, small) for socket in stream.sockets]
    assert all(socket.read == [told(1, socket.name), told(2, socket.name)] for socket in every)
    turns = [turn for socket in every for turn in socket.turns]
    assert max(turns.count(turn) for turn in set(turns)) == SLICE
    assert max(socket.turns[0] for socket in small.sockets) < sorted(turns)[3 * SLICE], (
        "among the first"
    )


async def test_what_comes_meanwhile_is_told_behind_it() -> None:
    stream, broadcast = Stream("org_1", some(3 * SLICE)), Broadcast()
    stream.results = [result(1)]
    broadcast.announce(stream)
    await eventually(lambda: stream.sockets[0].read, "the first is told", every=0)
    stream.results = [result(2)]
    await tell(broadcast, stream)

    assert all(
        socket.read == [told(1, socket.name), told(2, socket.name)] for socket in stream.sockets
    )


async def test_of_equal_credentials_one_is_looked_at_in_a_slice() -> None:
    sockets = some(SLICE)
    for socket in sockets[1::2]:
        socket.subscriber.outlet = Outlet(
            socket.send,
            socket.write,
            socket.closings.append,
            socket.still_welcome,
            "another",
            "another",
        )
    sockets[1].refusal = Closing(4403, "Forbidden")
    stream = Stream("org_1", sockets)
    stream.results = [result(1)]
    await tell(Broadcast(), stream)

    assert [socket.looks for socket in sockets] == [1, 1] + [0] * (SLICE - 2)
    assert all(socket.closings and not socket.read for socket in sockets[1::2])
    assert all(socket.read and not socket.closings for socket in sockets[::2])


@dataclass
class Credentials:
    """Which are stale, and which were read together."""

    stale: set[str | None]
    read: list[set[str | None]] = field(default_factory=list)
    error: Exception | None = None

    async def renew(self, tokens: set[str | None]) -> None:
        self.read.append(tokens & self.stale)
        if self.error:
            raise self.error
        self.stale -= tokens


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch) -> Credentials:
    """Nothing is stale yet."""
    credentials = Credentials(set())
    monkeypatch.setattr(telling, "is_stale_credential", lambda token: token in credentials.stale)
    monkeypatch.setattr(telling, "renew_credentials", credentials.renew)
    return credentials


async def test_stale_credentials_are_read_together_also_those_of_streams_behind(
    credentials: Credentials,
) -> None:
    sockets = [Socket(str(number), f"key {number}") for number in range(RENEWED)]
    streams = [
        Stream("org_1", sockets[: 4 * SLICE]),
        *(Stream("org_1", [one]) for one in sockets[4 * SLICE :]),
    ]
    other = Stream("org_2", [Socket("another's", "another's key")])
    credentials.stale = {
        socket.credential for stream in (*streams, other) for socket in stream.sockets
    }
    for stream in (*streams, other):
        stream.results = [result(1)]
    await tell(Broadcast(), *streams, other)

    assert credentials.read == [{socket.credential for socket in sockets}, {"another's key"}]
    assert all(socket.read and socket.looks == 1 for socket in (*sockets, *other.sockets))


async def test_who_is_fresh_is_not_read(credentials: Credentials) -> None:
    stream = Stream("org_1", some(3 * SLICE))
    stream.results = [result(1)]
    await tell(Broadcast(), stream)

    assert not credentials.read
    assert all(socket.read for socket in stream.sockets)


async def test_each_is_looked_at_by_itself_when_they_cannot_be_read_together(
    credentials: Credentials,
) -> None:
    credentials.error = ConnectionError("the database is away")
    sockets = [Socket(str(number), f"key {number}") for number in range(SLICE)]
    credentials.stale = {socket.credential for socket in sockets}
    sockets[1].refusal = Closing(4403, "Forbidden")
    stream = Stream("org_1", sockets)
    stream.results = [result(1)]
    with capture_logs() as logs:
        await tell(Broadcast(), stream)

    assert [socket.looks for socket in sockets] == [1] * SLICE
    assert [bool(socket.read) for socket in sockets] == [True, False] + [True] * (SLICE - 2)
    assert [(line["event"], line["error"]) for line in logs] == [
        ("credentials_not_renewed", "ConnectionError")
    ]


async def test_a_reader_that_is_behind_holds_up_nobody_and_gets_all_in_order() -> None:
    slow, quick = sockets = some(2)
    slow.behind = True
    stream, broadcast = Stream("org_1", sockets), Broadcast()
    for number in range(5):
        stream.results = [result(number)]
        slow.behind = (
            number < 3
        )  # its place in the line is behind what waits, also once it could be written to
        await tell(broadcast, stream)

    assert quick.read == [told(number, "1") for number in range(5)]
    assert not slow.read
    for _ in range(5):
        slow.may_read.release()
    await eventually(lambda: len(slow.read) == 5, "it has read")
    assert slow.read == [told(number, "0") for number in range(5)]
    await eventually(lambda: waiting.subscribers == 0, "nothing waits")
    assert waiting.bytes == 0
    stream.results = [result(5)]
    await tell(broadcast, stream)
    assert slow.read[5:] == [told(5, "0")]


@pytest.mark.parametrize("limit", ["MAX_WAITING", "MAX_WAITING_BYTES"])
async def test_who_is_too_far_behind_is_told_so(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, limit, 3 if limit == "MAX_WAITING" else 3 * result(0).size)
    [slow] = sockets = some(1)
    slow.behind = True
    stream, broadcast = Stream("org_1", sockets), Broadcast()
    for number in range(4):
        assert not slow.closings
        stream.results = [result(number)]
        await tell(broadcast, stream)

    assert slow.closings[0].code == 1013
    await slow.subscriber.leave()
    assert (waiting.subscribers, waiting.bytes) == (0, 0)


async def test_when_too_much_waits_for_all_who_holds_most_of_it_has_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size = result(0).size
    monkeypatch.setattr(backlog, "MAX_WAITING_BYTES_OF_ALL", 5 * size)
    modest, greedy = some(2)
    modest.behind = greedy.behind = True
    for number in range(5):
        greedy.subscriber.tell(ResultFrames([result(number)]))
    modest.subscriber.tell(ResultFrames([result(0)]))
    assert not modest.closings
    assert not greedy.closings
    greedy.subscriber.tell(ResultFrames([result(5)]))

    assert (len(modest.closings), len(greedy.closings)) == (0, 1)
    for socket in (modest, greedy):
        await socket.subscriber.leave()
    assert (waiting.subscribers, waiting.bytes) == (0, 0)


async def test_who_is_no_longer_welcome_is_not_told_what_waited() -> None:
    [slow] = some(1)
    slow.behind = True
    slow.subscriber.tell(ResultFrames([result(1), result(2)]))
    slow.refusal = Closing(4403, "Forbidden")
    slow.may_read.release()
    await eventually(lambda: slow.closings, "it is let go")

    assert not slow.read
    assert waiting.bytes == 0
