"""An operator's SMSC on a free port of this machine, over real TCP: it behaves as it is told and remembers
what it took.

It reads and writes PDUs by its own lights (not by the code under test).
"""

import asyncio
import struct
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.support.waiting import PATIENCE

HEADER = struct.Struct(">IIII")
BINDS = {1: "receiver", 2: "transmitter", 9: "transceiver"}
QUERY, SUBMIT, DELIVER, UNBIND, ENQUIRE, RESPONSE = 3, 4, 5, 6, 0x15, 0x80000000
OK, RINVCMDID, RSYSERR, RINVDSTADR, RINVPASWD, RTHROTTLED = 0, 3, 8, 0x0B, 0x0E, 0x58
ENROUTE, DELIVERED = 1, 2
RECEIPT = 4


@dataclass(frozen=True, slots=True)
class TakenSubmit:
    """A submit_sm that the SMSC accepted, by the id that it gave."""

    id: str
    source: str
    source_ton: int
    destination: str
    esm_class: int
    data_coding: int
    service_type: str
    text: bytes
    parameters: dict[int, bytes]

    def receipt(self, state: str = "DELIVRD", *, id: str | None = None) -> bytes:
        """The text of its receipt."""
        return (
            f"id:{id or self.id} sub:001 dlvrd:001 submit date:2611260530 done date:2611260531 "
            f"stat:{state} err:000 text:"
        ).encode()


Behaviour = Callable[["FakeSmsc", "Line", int, TakenSubmit], Awaitable[None]]


@dataclass(slots=True)
class Line:
    """A connection to the SMSC."""

    writer: asyncio.StreamWriter
    mode: str | None = None
    password: str = ""
    answers: dict[int, asyncio.Future[int]] = field(default_factory=dict)

    def write(self, command: int, sequence: int, body: bytes = b"", status: int = 0) -> None:
        """Send a PDU."""
        self.writer.write(HEADER.pack(16 + len(body), command, status, sequence) + body)


@dataclass(slots=True)
class FakeSmsc:
    """The SMSC of a test; made by `an_smsc`."""

    password: str = "secret"
    port: int = 0
    taken: list[TakenSubmit] = field(default_factory=list)
    seen: int = 0
    """Submits that arrived, whatever they were answered."""
    most: int = 0
    """Submits that were unanswered at once."""
    form: str = "{}"
    """How an id is written."""
    lines: list[Line] = field(default_factory=list)
    states: dict[str, int] | None = field(default_factory=dict)
    """By the ids that it gave, what query_sm is answered; of others ENROUTE. None: it does not know the command."""
    asked: list[tuple[str, int, str]] = field(default_factory=list)
    """What it was asked about: id, TON and source."""
    _next: deque[Behaviour] = field(default_factory=deque)
    always: Behaviour | None = None
    _sequence: int = 0
    _unanswered: int = 0

    def will(self, *behaviours: Behaviour) -> None:
        """What the next submits meet, one each; afterwards they are accepted."""
        self._next.extend(behaviours)

    async def deliver(
        self,
        text: bytes,
        *,
        source: str,
        esm_class: int = 0,
        coding: int = 0,
        parameters: bytes = b"",
    ) -> int:
        """Deliver a message to somebody who is bound for it; its status."""
        line = next(one for one in self.lines if one.mode in ("receiver", "transceiver"))
        self._sequence += 1
        line.answers[self._sequence] = asyncio.get_running_loop().create_future()
        body = b"".join(
            (
                b"\0\1\1" + source.encode() + b"\0\5\0SVC\0",
                bytes((esm_class, 0, 0, 0, 0, 0, 0, coding, 0, len(text))),
                text,
                parameters,
            )
        )
        line.write(DELIVER, self._sequence, body)
        async with asyncio.timeout(PATIENCE):
            return await line.answers[self._sequence]

    async def report(
        self, submit: TakenSubmit, state: str = "DELIVRD", *, id: str | None = None
    ) -> int:
        """Deliver the receipt of a submit."""
        text = submit.receipt(state, id=id)
        return await self.deliver(text, source=submit.destination, esm_class=RECEIPT)

    def cut(self) -> None:
        """End every connection at once."""
        for line in self.lines:
            line.writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection, from its beginning to its end."""
        line = Line(writer)
        self.lines.append(line)
        tasks = []
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                length, command, status, sequence = HEADER.unpack(await reader.readexactly(16))
                body = await reader.readexactly(length - 16)
                if command == SUBMIT:
                    tasks.append(asyncio.create_task(self._submit(line, sequence, body)))
                elif command in BINDS:
                    self._bind(line, command, sequence, body)
                elif command == DELIVER | RESPONSE:
                    line.answers[sequence].set_result(status)
                elif command == QUERY:
                    self._query(line, sequence, body)
                elif command in (ENQUIRE, UNBIND):
                    line.write(command | RESPONSE, sequence)
        self.lines.remove(line)
        writer.close()

    def _bind(self, line: Line, command: int, sequence: int, body: bytes) -> None:
        _, password, *_ = body.split(b"\0")
        if password.decode() != self.password:
            line.write(command | RESPONSE, sequence, status=RINVPASWD)
            return
        line.mode = BINDS[command]
        line.write(command | RESPONSE, sequence, b"FAKE\0")

    def _query(self, line: Line, sequence: int, body: bytes) -> None:
        named, rest = body.split(b"\0", 1)
        id = named.decode()
        self.asked.append((id, rest[0], rest[2:-1].decode()))
        if self.states is None:
            line.write(RESPONSE, sequence, status=RINVCMDID)
            return
        state = self.states.get(id, ENROUTE)
        done = b"" if state == ENROUTE else b"261126053100000+"
        line.write(QUERY | RESPONSE, sequence, named + b"\0" + done + b"\0" + bytes((state, 0)))

    async def _submit(self, line: Line, sequence: int, body: bytes) -> None:
        self.seen += 1
        self._unanswered += 1
        self.most = max(self.most, self._unanswered)
        submit = _read(body, self.form.format(self.seen))
        behaviour = self._next.popleft() if self._next else self.always or accepts()
        await behaviour(self, line, sequence, submit)
        self._unanswered -= 1


def _read(body: bytes, id: str) -> TakenSubmit:
    service_type, rest = body.split(b"\0", 1)
    ton, rest = rest[0], rest[2:]
    source, rest = rest.split(b"\0", 1)
    destination, rest = rest[2:].split(b"\0", 1)
    esm_class, rest = rest[0], rest[3:]
    _, rest = rest.split(b"\0", 1)
    _, rest = rest.split(b"\0", 1)
    coding, length = rest[2], rest[4]
    text, rest = rest[5 : 5 + length], rest[5 + length :]
    parameters = {}
    while rest:
        tag, size = struct.unpack_from(">HH", rest)
        parameters[tag] = rest[4 : 4 + size]
        rest = rest[4 + size :]
    return TakenSubmit(
        id, source.decode(), ton, destination.decode(), esm_class, coding,
        service_type.decode(), text, parameters,
    )  # fmt: skip


@asynccontextmanager
async def an_smsc() -> AsyncIterator[FakeSmsc]:
    """An SMSC that accepts everything until it is told otherwise; gone, connections too, at the end."""
    smsc = FakeSmsc()
    server = await asyncio.start_server(smsc.serve, "127.0.0.1", 0)
    smsc.port = server.sockets[0].getsockname()[1]
    try:
        yield smsc
    finally:
        server.close()
        smsc.cut()


# What a submit may meet ---------------------------------------------------------------------------


def accepts(*, reports_first: bool = False) -> Behaviour:
    """Taken; the receipt may come before the answer."""

    async def behave(smsc: FakeSmsc, line: Line, sequence: int, submit: TakenSubmit) -> None:
        smsc.taken.append(submit)
        if reports_first:
            await smsc.report(submit)
        line.write(SUBMIT | RESPONSE, sequence, submit.id.encode() + b"\0")

    return behave


def refuses(status: int) -> Behaviour:
    """Not taken."""

    async def behave(smsc: FakeSmsc, line: Line, sequence: int, submit: TakenSubmit) -> None:
        line.write(SUBMIT | RESPONSE, sequence, status=status)

    return behave


def drops() -> Behaviour:
    """Taken, and the connection breaks without a word."""

    async def behave(smsc: FakeSmsc, line: Line, sequence: int, submit: TakenSubmit) -> None:
        smsc.taken.append(submit)
        line.writer.transport.abort()

    return behave


def holds(until: asyncio.Event) -> Behaviour:
    """Taken, and answered once the event is set."""

    async def behave(smsc: FakeSmsc, line: Line, sequence: int, submit: TakenSubmit) -> None:
        smsc.taken.append(submit)
        await until.wait()
        line.write(SUBMIT | RESPONSE, sequence, submit.id.encode() + b"\0")

    return behave
