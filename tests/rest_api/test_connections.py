"""Connections that begin and never end: heads, bodies, silence, and answers that nobody reads."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from rest_api import connections, slow_readers
from rest_api.support.broken_requests import EndedEarly
from rest_api.support.requests import Headers, read_all
from tests.support.waiting import eventually
from tests.support.web_sockets import served

HOUR = 3_600.0
LARGE = b"x" * 1_000_000


@pytest.fixture(autouse=True)
def patience(database: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Waits for ever, unless the test says otherwise."""

    def wait(**seconds: float) -> None:
        for name in ("HEAD_SECONDS", "SILENT_SECONDS", "BODY_SECONDS", "UNREAD_SECONDS"):
            monkeypatch.setattr(
                slow_readers if name == "UNREAD_SECONDS" else connections,
                name,
                seconds.get(name.removesuffix("_SECONDS").lower(), HOUR),
            )

    wait()
    return wait


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers how many bytes the body had; at `/large` with a megabyte, at `/never` not at all."""
    size, more = 0, scope["path"] != "/unread"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    if scope["path"] == "/never":
        await receive()  # until the client goes
        return
    body = LARGE if scope["path"] == "/large" else str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Client:
    """A connection that says what it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the next answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        line, *fields = head.strip().split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (field.partition(":") for field in fields)
        }
        return (
            int(line.split()[1]),
            headers,
            await self.reader.readexactly(int(headers["content-length"])),
        )

    async def is_closed(self) -> bool:
        """Waits for the end; whether nothing more was said before it."""
        try:
            return await self.reader.read() == b""
        except ConnectionError:
            return True


@asynccontextmanager
async def connected(app: Any = echo) -> AsyncIterator[Client]:
    async with served(app) as (address, _):
        host, _, port = address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            yield Client(reader, writer)
        finally:
            writer.close()


def problem_of(answer: tuple[int, dict[str, str], bytes], status: int) -> dict[str, Any]:
    told, headers, body = answer
    problem: dict[str, Any] = json.loads(body)
    assert (told, problem["status"], headers["content-type"]) == (
        status,
        status,
        "application/problem+json",
    )
    assert (headers["connection"], headers["x-request-id"]) == ("close", problem["requestId"])
    return problem


@pytest.mark.parametrize("name", [b"X-Long", b"Authorization", b"Cookie"])
async def test_a_head_without_end_is_refused_while_it_comes(name: bytes) -> None:
    async with connected() as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: svc.test\r\n" + name + b": ")
        with pytest.raises(ConnectionError):
            for _ in range(2_000):  # a hundred megabytes, of which the service takes less than one
                await client.say(b"y" * 50_000)
        # What was in flight when the connection ended may have taken the answer with it.


async def test_a_head_above_64_kb_is_refused_also_where_it_comes_at_once() -> None:
    for size, status in ((60_000, 200), (66_000, 431)):
        async with connected() as client:
            await client.say(b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"y" * size + b"\r\n\r\n")
            answer = await client.answer()
            assert answer[0] == status
    assert problem_of(answer, 431)["code"] == "BAD_REQUEST"


async def test_many_small_headers_are_a_large_head() -> None:
    async with connected() as client:
        await client.say(
            b"GET / HTTP/1.1\r\n"
            + b"".join(b"X-%d: y\r\n" % number for number in range(9_000))
            + b"\r\n"
        )
        problem_of(await client.answer(), 431)


async def test_a_long_address_is_a_large_head() -> None:
    async with connected() as client:
        await client.say(b"GET /" + b"y" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
        problem_of(await client.answer(), 431)


async def test_a_head_that_drips_is_given_up(patience: Callable[..., None]) -> None:
    patience(head=0.05)
    async with connected() as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\nX-")
        problem_of(await client.answer(), 408)
        assert await client.is_closed()


@pytest.mark.parametrize("said", [b"", b"\r\n"])
async def test_who_asks_for_nothing_is_let_go(patience: Callable[..., None], said: bytes) -> None:
    patience(silent=0.05)
    async with connected() as client:
        await client.say(said)
        assert await client.is_closed()


async def test_noise_behind_an_answer_keeps_no_connection_open(
    patience: Callable[..., None],
) -> None:
    patience(silent=0.05)
    async with connected() as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await client.answer())[0] == 200
        await client.say(b"\r\n")
        assert await client.is_closed()


async def test_a_body_that_stops_is_given_up(patience: Callable[..., None]) -> None:
    patience(body=0.05)
    async with connected() as client:
        await client.say(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        problem_of(await client.answer(), 408)
        assert await client.is_closed()


async def test_a_body_that_drips_is_given_up(
    patience: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    patience(body=0.05)
    monkeypatch.setattr("core.media.MIN_BYTES_PER_SECOND", 10**9)
    async with connected() as client:
        await client.say(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        with pytest.raises(ConnectionError):
            while not client.reader.at_eof():
                await client.say(b"a")
                await asyncio.sleep(0)
            raise ConnectionError


async def test_the_rest_of_a_body_that_nobody_wants_keeps_no_connection_open(
    patience: Callable[..., None],
) -> None:
    patience(body=0.05)
    async with connected() as client:
        await client.say(b"POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc")
        assert (await client.answer())[0] == 200
        await client.say(b"d")
        assert await client.is_closed()


async def test_what_surrounds_a_body_has_a_bound_too() -> None:
    async with connected() as client:
        await client.say(
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: "
        )
        with pytest.raises(ConnectionError):
            for _ in range(2_000):
                await client.say(b"y" * 50_000)


async def test_a_body_in_chunks_of_one_byte_is_taken() -> None:
    async with connected() as client:
        await client.say(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        await client.say(b"1\r\na\r\n" * 200_000 + b"0\r\n\r\n")
        assert (await client.answer())[2] == b"200000"


async def test_a_large_body_and_the_next_request_are_both_taken() -> None:
    async with connected() as client:
        await client.say(
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n"
            + b"a" * 300_000
            + b"GET /"
        )
        assert (await client.answer())[2] == b"300000"
        await client.say(b" HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await client.answer())[0] == 200


async def test_a_slow_answer_is_waited_for(patience: Callable[..., None]) -> None:
    patience(head=0.02, silent=0.02, body=0.02)
    async with connected() as client:
        await client.say(b"POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await client.reader.read(1)


@pytest.mark.parametrize("pieces", [1, 1_000])
async def test_who_reads_nothing_is_let_go(patience: Callable[..., None], pieces: int) -> None:
    patience(unread=0.05)
    connection: list[connections.ServedHttpConnection] = []

    async def generous(scope: Scope, receive: Receive, send: Send) -> None:
        connection.append(send.__self__.transport.get_protocol())  # type: ignore[attr-defined]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(pieces):
            await send({"type": "http.response.body", "body": LARGE * 10, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async with connected(generous) as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await eventually(
            lambda: connection and connection[0].transport.is_closing(), "the connection ends"
        )
        await eventually(lambda: not connection[0].connections, "nothing of it is left")


async def test_who_does_not_read_the_last_answer_of_a_connection_is_let_go(
    patience: Callable[..., None],
) -> None:
    """Also of one that is too small for the transport to say that nobody reads it."""
    patience(unread=0.05)
    connection: list[connections.ServedHttpConnection] = []

    async def small(scope: Scope, receive: Receive, send: Send) -> None:
        transport = send.__self__.transport  # type: ignore[attr-defined]
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        connection.append(transport.get_protocol())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 50_000})

    async with served(small) as (address, _):
        host, _, port = address.partition(":")
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            client.connect((host, int(port)))
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            await eventually(lambda: connection, "it is answered")
            assert connection[0].transport.get_write_buffer_size(), "something waits for its reader"
            await eventually(lambda: not connection[0].connections, "nothing of it is left")


async def test_a_queue_of_requests_on_one_connection_has_an_end() -> None:
    """What is in it is answered; the last answer says that nothing behind it was begun."""
    async with connected() as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 30)
        assert [(await client.answer())[0] for _ in range(30)] == [200] * 30
    async with connected() as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 2_000)
        answers = [await client.answer()]
        while answers[-1][1].get("connection") != "close":
            answers.append(await client.answer())
        assert await client.is_closed()
    assert {status for status, _, _ in answers} == {200}
    assert connections.MAX_QUEUED < len(answers) < 100


@pytest.mark.parametrize("count", [1, 3])
async def test_who_has_said_all_is_answered_and_then_let_go(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """A client may close its half of a connection as soon as it has asked."""
    ended = asyncio.Event()

    class Noting(connections.ServedHttpConnection):
        def eof_received(self) -> bool:  # type: ignore[override]
            ended.set()
            return super().eof_received()

    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await ended.wait()
        await echo({**scope, "path": "/unread"}, receive, send)

    monkeypatch.setattr("tests.support.web_sockets.ServedHttpConnection", Noting)
    async with connected(patient) as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * count)
        client.writer.write_eof()
        answers = [await client.answer() for _ in range(count)]
        assert await client.is_closed()
    assert [(status, body) for status, _, body in answers] == [(200, b"0")] * count
    assert answers[-1][1]["connection"] == "close"


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
    ],
)
async def test_who_ends_in_the_middle_of_a_request_is_answered_nothing(half: bytes) -> None:
    async with connected() as client:
        await client.say(half)
        client.writer.write_eof()
        assert await client.is_closed()


async def test_what_is_no_request_is_told_so() -> None:
    async with connected() as client:
        await client.say(b"\x16\x03\x01\x02\x00 hello")
        problem_of(await client.answer(), 400)


async def test_a_body_that_breaks_off_is_none() -> None:
    ended = iter(
        [{"type": "http.request", "body": b"half", "more_body": True}, {"type": "http.disconnect"}]
    )

    async def receive() -> Any:
        return next(ended)

    with pytest.raises(EndedEarly):
        await read_all(receive, Headers([]), limit=100)


# Several requests at once, and what becomes a WebSocket --------------------------------------------

UPGRADE = (
    b"GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def test_who_leaves_a_queue_of_requests_leaves_the_one_that_is_answered_too() -> None:
    begun, left = asyncio.Event(), asyncio.Event()

    async def first_waits(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        begun.set()
        assert (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": LARGE})
        left.set()

    async with connected(first_waits) as client:
        await client.say(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
        await begun.wait()
        # Reset, as by a process that dies: an end alone may be that of a client that still listens.
        end = client.writer.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.writer.transport.abort()
        async with asyncio.timeout(30):
            await left.wait()


async def test_an_upgrade_that_no_socket_takes_is_refused_and_not_kept_open() -> None:
    for wrong in (
        UPGRADE + b"Content-Length: 5\r\n\r\nabcde",
        UPGRADE + b"Cookie: " + b"c" * 20_000 + b"\r\n\r\n",
        UPGRADE + b"".join(b"X-%d: y\r\n" % number for number in range(200)) + b"\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ):
        async with connected() as client:
            await client.say(wrong)
            problem_of(await client.answer(), 400)
            assert await client.is_closed()
    async with connected() as client:  # an answer is under way
        await client.say(b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n" + UPGRADE + b"\r\n")
        assert await client.is_closed()


def frame(opcode: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """A short frame as clients send it."""
    return bytes([last << 7 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data


@asynccontextmanager
async def on_socket(
    told: "asyncio.Queue[Any]", *, floods: bool = False
) -> AsyncIterator[tuple[Client, Any]]:
    """An open socket and the server's end of it; `told` gets what the application receives."""
    ends: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        ends.append(send.__self__)  # type: ignore[attr-defined]
        await receive()
        await send({"type": "websocket.accept"})
        while floods:
            await send({"type": "websocket.send", "text": "x" * 1_000_000})
        while (message := await receive())["type"] == "websocket.receive":
            told.put_nowait(message["text"])

    async with connected(app) as client:
        await client.say(UPGRADE + b"\r\n")
        await client.reader.readuntil(b"\r\n\r\n")
        yield client, ends[0]


async def test_pings_of_a_client_that_does_not_read_and_pieces_without_bytes_are_not_kept() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    async with on_socket(told) as (client, end):
        end.pause_writing()
        await client.say(frame(9, b"lost") * 1_000 + frame(1, b"a"))
        assert await told.get() == "a"
        end.resume_writing()
        pieces = frame(1, b"b", last=False) + frame(0, last=False) * 1_000
        await client.say(pieces + frame(9, b"kept"))
        assert await client.reader.readexactly(6) == b"\x8a\x04kept"
        assert end.frames == [b"b"]
        await client.say(frame(0, b"c"))
        assert await told.get() == "bc"


async def test_who_reads_nothing_of_a_socket_is_let_go(patience: Callable[..., None]) -> None:
    patience(unread=0.05)
    async with on_socket(asyncio.Queue(), floods=True) as (_, end):
        await eventually(lambda: not end.connections, "nothing of it is left")
