"""One connection to an operator: bound by us, with a window of submits, and what the operator delivers."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, cast

import structlog

from core.smpp import Mode
from smpp_api.link.links_file import LinkSettings
from smpp_api.wire.bodies import (
    Bind,
    Body,
    DataSm,
    Named,
    Nothing,
    QuerySm,
    ShortMessage,
    read_body,
)
from smpp_api.wire.commands import RESPONSE, Command, CommandStatus, Malformed
from smpp_api.wire.frames import Frame, Frames, framed

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 30.0
"""How long an operator takes for an answer; a connection that does not is ended."""
ENQUIRE_SECONDS, SILENCE_SECONDS = 30.0, 75.0
UNBIND_SECONDS = 2.0
MAX_DELIVERED = 100
"""What is delivered and not kept yet; above that the socket is not read."""

COMMANDS: Mapping[Mode, Command] = {
    "transmitter": Command.BIND_TRANSMITTER,
    "receiver": Command.BIND_RECEIVER,
    "transceiver": Command.BIND_TRANSCEIVER,
}

Keeps = Callable[[ShortMessage | DataSm], Awaitable[CommandStatus]]
"""What becomes of a message that is delivered: kept before it is acknowledged."""

_NOTHING = Nothing()

log = structlog.get_logger()


class BindFailed(Exception):
    """The operator lets nobody in by these settings, or not now. `reason`: for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OperatorBind(asyncio.Protocol):
    """A bind, from its connection to its end."""

    def __init__(self, settings: LinkSettings, mode: Mode, keeps: Keeps) -> None:
        self.mode = mode
        self._settings = settings
        self._keeps = keeps
        self._loop = asyncio.get_running_loop()
        self._frames = Frames()
        self._sequence = 0
        self._asked: dict[int, asyncio.Future[Frame | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_bound = self._is_leaving = False
        self._heard = self._loop.time()
        self._has_enquired = False
        self._delivered = 0
        self.submits = 0
        """Those that the operator has not answered."""
        self.ended = asyncio.Event()

    @classmethod
    async def opened(cls, settings: LinkSettings, mode: Mode, keeps: Keeps) -> "OperatorBind":
        """A bind that is open. Raises BindFailed."""
        bind = cls(settings, mode, keeps)
        tls = ssl.create_default_context() if settings.tls else None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await asyncio.get_running_loop().create_connection(
                    lambda: bind, settings.host, settings.port, ssl=tls
                )
        except (OSError, TimeoutError) as error:
            raise BindFailed(type(error).__name__) from None
        await bind._bind()
        return bind

    async def _bind(self) -> None:
        body = Bind(self._settings.system_id, self._settings.password, self._settings.system_type)
        answer = await self._ask(COMMANDS[self.mode], body, seconds=CONNECT_SECONDS)
        if answer is None or answer.status != CommandStatus.ESME_ROK:
            self.cut_off()
            raise BindFailed("no answer" if answer is None else f"0x{answer.status:08X}")
        self._is_bound = True

    # The connection ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self._is_bound = False
        for waiting in self._asked.values():
            if not waiting.done():
                waiting.set_result(None)
        self.ended.set()

    def data_received(self, data: bytes) -> None:
        self._heard, self._has_enquired = self._loop.time(), False
        try:
            for frame in self._frames.arrived(data):
                self._take(frame)
        except Malformed as malformed:
            log.warning("smpp_link_unreadable", link=self._settings.name, what=malformed.what)
            self.cut_off()

    def _take(self, frame: Frame) -> None:
        if frame.command & RESPONSE:
            waiting = self._asked.get(frame.sequence)
            if waiting is not None and not waiting.done():
                waiting.set_result(frame)
            return
        match frame.command:
            case Command.ENQUIRE_LINK:
                self._write(Command.ENQUIRE_LINK_RESP, frame.sequence)
            case Command.UNBIND:
                self._is_bound = False
                self._write(Command.UNBIND_RESP, frame.sequence)
                self._transport.close()
            case Command.DELIVER_SM | Command.DATA_SM:
                self._begin(self._deliver(frame))
            case Command.ALERT_NOTIFICATION | Command.OUTBIND:
                pass
            case _:
                self._write(
                    Command.GENERIC_NACK, frame.sequence, status=CommandStatus.ESME_RINVCMDID
                )

    async def _deliver(self, frame: Frame) -> None:
        """Keep what is delivered, then acknowledge it; what cannot be read is refused, not waited
        for.
        """
        self._delivered += 1
        if self._delivered == MAX_DELIVERED:
            self._transport.pause_reading()
        try:
            body = read_body(frame.command, frame.body)
            status = await self._keeps(cast("ShortMessage | DataSm", body))
        except Malformed as malformed:
            status = malformed.status
        finally:
            self._delivered -= 1
            if self._delivered == MAX_DELIVERED - 1 and not self.ended.is_set():
                self._transport.resume_reading()
        self._write(frame.command | RESPONSE, frame.sequence, Named(), status)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What leaves ---------------------------------------------------------------------------------

    @property
    def has_room(self) -> bool:
        """Whether a submit may leave now."""
        return (
            self._is_bound
            and not self._is_leaving
            and self.mode != "receiver"
            and self.submits < self._settings.window
            and not self._transport.is_closing()
        )

    @property
    def is_open(self) -> bool:
        """Whether submits leave by it, be it full or not."""
        return self._is_bound and not self._is_leaving and self.mode != "receiver"

    async def submit(self, message: ShortMessage) -> Frame | None:
        """Hand a message over: its answer; None where none came, and it may have been taken."""
        answer = await self._request(Command.SUBMIT_SM, message)
        if answer is None:
            self._is_leaving = True  # nothing more; what others wait for may still come
        return answer

    async def query(self, asked: QuerySm) -> Frame | None:
        """Ask what became of a message: the answer; None where none came."""
        return await self._request(Command.QUERY_SM, asked)

    async def _request(self, command: Command, body: Body) -> Frame | None:
        """One that takes a place of the window."""
        self.submits += 1
        try:
            return await self._ask(command, body, seconds=ANSWER_SECONDS)
        finally:
            self.submits -= 1

    async def _ask(self, command: Command, body: Body, *, seconds: float) -> Frame | None:
        self._sequence = self._sequence % 0x7FFFFFFF + 1
        sequence = self._sequence
        answer: asyncio.Future[Frame | None] = self._loop.create_future()
        self._asked[sequence] = answer
        self._write(command, sequence, body)
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            return None
        finally:
            del self._asked[sequence]

    def _write(
        self,
        command: int,
        sequence: int,
        body: Body = _NOTHING,
        status: int = CommandStatus.ESME_ROK,
    ) -> None:
        if not self.ended.is_set() and not self._transport.is_closing():
            self._transport.write(framed(command, sequence, body.write(), status))

    def look(self) -> None:
        """Each second: an operator that is silent is asked, and let go."""
        silent = self._loop.time() - self._heard
        if silent > SILENCE_SECONDS or (self._is_leaving and not self.submits):
            self.cut_off()
        elif silent > ENQUIRE_SECONDS and not self._has_enquired:
            self._has_enquired = True
            self._sequence = self._sequence % 0x7FFFFFFF + 1
            self._write(Command.ENQUIRE_LINK, self._sequence)

    # The end -------------------------------------------------------------------------------------

    async def leave(self) -> None:
        """Wait for the answers that are owed, keep what was delivered, unbind, close."""
        self._is_leaving = True
        waiting: set[asyncio.Future[Any]] = {*self._asked.values(), *self._tasks}
        if waiting:
            await asyncio.wait(waiting, timeout=ANSWER_SECONDS)
        if self._is_bound:
            await self._ask(Command.UNBIND, _NOTHING, seconds=UNBIND_SECONDS)
        self._is_bound = False
        if not self.ended.is_set():
            self._transport.close()

    def cut_off(self) -> None:
        """End now; what was not answered may have been taken."""
        self._is_bound = False
        self._transport.abort()
