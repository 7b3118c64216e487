"""One connection of a client: binding, requests and their answers, silence, and the end.

Nothing here is the truth: what was answered is committed, what was not is the client's to send
again. As many submits are worked on at once as the account's window has; above that the socket is
not read, so that TCP holds the client back.
"""

import asyncio
import hashlib
from collections import deque
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, cast

import structlog

from core import smpp
from core.cells import HOME, use_cell
from core.foundation.clock import now
from core.foundation.errors import Conflict
from core.smpp import BindRefused, BindUse, Mode, SmppClient
from smpp_api.metrics import BIND_REFUSALS, SECONDS, SUBMITS
from smpp_api.query import cancel, query
from smpp_api.refusals import Answer, answer_to, refused
from smpp_api.replace import replace
from smpp_api.submit import submit
from smpp_api.trace import Traced
from smpp_api.wire.bodies import (
    AnyBody,
    Bind,
    Body,
    CancelSm,
    DataSm,
    Named,
    Nothing,
    QuerySm,
    ReplaceSm,
    ShortMessage,
    read_body,
)
from smpp_api.wire.commands import RESPONSE, Command, CommandStatus, Malformed
from smpp_api.wire.frames import Frame, Frames, framed
from smpp_api.wire.parameters import Tag

SYSTEM = "SVC"
VERSION = b"\x34"

BIND_SECONDS = 5.0
"""How long a connection may be there without a bind."""
MAX_BEFORE_BIND = 16_384
"""Octets that a connection may send before it is bound: the bind, and a window of requests behind
it.
"""
PDU_SECONDS = 30.0
"""How long a PDU may take to arrive, and an answer to be read."""
ENQUIRE_SECONDS, SILENCE_SECONDS = 30.0, 150.0
REFUSAL_SECONDS = 1.0
"""How long a bind takes that is refused."""
UNBIND_SECONDS = 2.0
MAX_GATHERED = 1_000
"""PDUs that are written in one piece."""
DELIVER_WINDOW = 10
"""Deliveries to a client that are under way at once on one bind."""
DELIVER_SECONDS = 30.0
"""How long a client takes to answer one."""

MODES: Mapping[int, Mode] = {
    Command.BIND_TRANSMITTER: "transmitter",
    Command.BIND_RECEIVER: "receiver",
    Command.BIND_TRANSCEIVER: "transceiver",
}

_NOTHING = Nothing()

log = structlog.get_logger()


class Home(Protocol):
    """What a session knows of its listener."""

    process: str

    def joined(self, session: "SmppSession") -> bool: ...

    def bound(self, session: "SmppSession") -> None: ...

    def left(self, session: "SmppSession") -> None: ...


class SmppSession(asyncio.Protocol):
    """A connection, from its beginning to its end."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._loop = asyncio.get_running_loop()
        self._frames = Frames()
        self._pending: deque[Frame] = deque()
        self._leaving: list[bytes] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._latest: dict[str, asyncio.Task[None]] = {}
        self._submits = 0
        self._before_bind = 0
        self._sequence = 0
        self._is_binding = self._is_choked = self._is_leaving = self._has_ended = False
        self._is_reading = True
        self._broken: Malformed | None = None
        self._began = self._heard = self._loop.time()
        self._amid_since: float | None = None
        self._choked_since = 0.0
        self._asked = False
        self._unbind_sequence: int | None = None
        self._delivering: dict[int, asyncio.Future[int | None]] = {}
        self._room = asyncio.Semaphore(DELIVER_WINDOW)
        self.deliveries = 0
        """Those that wait for the client, or for room."""
        self.client: SmppClient | None = None
        self.mode: Mode | None = None
        self.bind_id: str | None = None
        self.traced: Traced | None = None
        """Where somebody looks on: takes what is said."""
        self._submitted = self._delivered_count = 0
        self._heard_at = now()
        self.peer = ""
        self.certificate: str | None = None
        """The SHA-256 fingerprint of what the client has shown by TLS."""

    # The connection ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if peer else ""
        self.certificate = _certificate_of(transport)
        if not self._home.joined(self):
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        # What is under way goes on: it may be committed already.
        self._has_ended = True
        self._pending.clear()
        for waiting in self._delivering.values():
            if not waiting.done():
                waiting.set_result(None)
        self._home.left(self)

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self._is_choked, self._choked_since = True, self._loop.time()

    def resume_writing(self) -> None:
        self._is_choked = False
        self._go_on()

    def data_received(self, data: bytes) -> None:
        self._heard, self._asked = self._loop.time(), False
        self._heard_at = now()
        if self.mode is None:
            self._before_bind += len(data)
            if self._before_bind > MAX_BEFORE_BIND:
                self._pending.clear()
                self._transport.abort()
                return
        try:
            self._pending.extend(self._frames.arrived(data))
        except Malformed as malformed:
            self._broken = malformed
        if not self._frames.is_amid:
            self._amid_since = None
        elif self._pending or self._amid_since is None:
            self._amid_since = self._heard
        self._go_on()

    # What arrives --------------------------------------------------------------------------------

    @property
    def has_full_window(self) -> bool:
        """Whether its client has to wait until something is answered."""
        return self.client is not None and self._submits >= self.client.account.window

    @property
    def _is_full(self) -> bool:
        window = self.client.account.window if self.client is not None else 1
        return self._is_binding or self._is_choked or self._submits >= window

    def _go_on(self) -> None:
        """Work on what has arrived, as far as there is room, and read on where there is."""
        while self._pending and not (self._is_full or self._is_leaving or self._has_ended):
            self._take(self._pending.popleft())
        if self._is_leaving:
            self._take_answers()
        if self._has_ended or self._transport.is_closing():
            return
        if self._broken is not None and not self._pending and not self._is_binding:
            self._nack(0, self._broken.status)
            self._end()
        else:
            self._read_on(self._is_leaving or not (self._pending or self._is_full))

    def _take_answers(self) -> None:
        """Of what comes behind an unbind only answers count: what was delivered and taken is not
        delivered again.
        """
        while self._pending and not self._has_ended:
            frame = self._pending.popleft()
            if frame.command & RESPONSE:
                self._take(frame)

    def _read_on(self, reads: bool) -> None:
        """Whether the socket is read; told to the transport when it changes."""
        if reads is not self._is_reading:
            self._is_reading = reads
            if reads:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()

    def _take(self, frame: Frame) -> None:
        if self.traced is not None:
            self.traced("in", self.bind_id, frame)
        if frame.command & RESPONSE:
            self._took_answer(frame)
            return
        try:
            body = read_body(frame.command, frame.body)
        except Malformed as malformed:
            if malformed.status is CommandStatus.ESME_RINVCMDID:
                self._nack(frame.sequence, malformed.status)
            else:
                self._answer(frame, refused(malformed.status, malformed.what))
            return
        match frame.command:
            case Command.ENQUIRE_LINK:
                self._write(Command.ENQUIRE_LINK_RESP, frame.sequence)
            case Command.UNBIND:
                self._leave(frame.sequence)
            case Command.BIND_TRANSMITTER | Command.BIND_RECEIVER | Command.BIND_TRANSCEIVER:
                self._take_bind(frame, cast(Bind, body))
            case Command.OUTBIND | Command.ALERT_NOTIFICATION:
                self._nack(frame.sequence, CommandStatus.ESME_RINVCMDID)
            case _:
                self._take_request(frame, body)

    def _took_answer(self, frame: Frame) -> None:
        if frame.command == Command.UNBIND_RESP and self._is_leaving:
            self._end()
        elif frame.command in (Command.DELIVER_SM_RESP, Command.GENERIC_NACK):
            waiting = self._delivering.get(frame.sequence)
            if waiting is not None and not waiting.done():
                waiting.set_result(frame.status)

    def _take_bind(self, frame: Frame, bind: Bind) -> None:
        if self.mode is not None:
            self._answer(frame, Answer(CommandStatus.ESME_RALYBND))
            return
        self._is_binding = True
        self._begin(self._bind(frame, bind))

    def _take_request(self, frame: Frame, body: AnyBody) -> None:
        """What only a transmitter may ask."""
        if self.client is None or self.mode == "receiver" or frame.command == Command.DELIVER_SM:
            self._answer(frame, Answer(CommandStatus.ESME_RINVBNDSTS))
            return
        match body:
            case ShortMessage() | DataSm():
                self._submits += 1
                self._submitted += 1
                # Held by its recipient until it is answered, or by the next one to the same.
                recipient = body.destination.value
                with use_cell(self.client.cell):
                    self._latest[recipient] = self._loop.create_task(
                        self._submit(frame, self.client, body, self._latest.get(recipient))
                    )
            case QuerySm():
                self._submits += 1
                self._begin(self._query(frame, self.client, body))
            case CancelSm():
                self._submits += 1
                self._begin(self._change(frame, cancel(self.client, body)))
            case ReplaceSm():
                self._submits += 1
                self._begin(self._change(frame, replace(self.client, body)))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        with use_cell(self.client.cell if self.client is not None else HOME):
            task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Requests ------------------------------------------------------------------------------------

    async def _submit(
        self,
        frame: Frame,
        client: SmppClient,
        message: ShortMessage | DataSm,
        before: asyncio.Task[None] | None,
    ) -> None:
        """Messages to one recipient keep their order."""
        began = self._loop.time()
        if before is not None:
            await asyncio.wait({before})
        try:
            answer = await submit(client, message)
        except Exception as error:
            answer = answer_to(error)
        recipient = message.destination.value
        if self._latest.get(recipient) is asyncio.current_task():
            del self._latest[recipient]
        self._answer(frame, answer)
        SUBMITS.labels(answer.status.name).add()
        SECONDS.labels().observe(self._loop.time() - began)
        self._ended_one()

    async def _query(self, frame: Frame, client: SmppClient, asked: QuerySm) -> None:
        try:
            found = await query(client, asked)
        except Exception as error:
            self._answer(frame, Answer(answer_to(error).status))
        else:
            self._write(Command.QUERY_SM_RESP, frame.sequence, found)
        self._ended_one()

    async def _change(self, frame: Frame, change: Coroutine[Any, Any, None]) -> None:
        """Cancel or replace a message; answered by a status alone."""
        status = CommandStatus.ESME_ROK
        try:
            await change
        except Conflict:
            status = CommandStatus.ESME_RCANCELFAIL
        except Exception as error:
            status = answer_to(error).status
        self._answer(frame, Answer(status))
        self._ended_one()

    def _ended_one(self) -> None:
        self._submits -= 1
        if self._is_leaving:
            self._unbind_when_done()
        self._go_on()

    async def _bind(self, frame: Frame, bind: Bind) -> None:
        mode, started = MODES[frame.command], self._loop.time()
        status = CommandStatus.ESME_RINVPASWD
        try:
            client = await smpp.sign_in(
                bind.system_id, bind.password, address=self.peer, certificate=self.certificate
            )
            self.bind_id = await smpp.open_bind(
                client, mode, peer=self.peer, process=self._home.process
            )
            if self.bind_id is None:
                status = CommandStatus.ESME_RBINDFAIL
                BIND_REFUSALS.labels("max_binds").add()
            else:
                self.client, self.mode = client, mode
                self._home.bound(self)
                status = CommandStatus.ESME_ROK
        except BindRefused as refusal:
            log.warning("smpp_bind_refused", reason=refusal.reason, mode=mode)
            BIND_REFUSALS.labels(refusal.reason).add()
            await asyncio.sleep(started + REFUSAL_SECONDS - self._loop.time())
        except Exception as error:
            status = answer_to(error).status
        self._is_binding = False
        if self._has_ended:
            self._home.left(self)
            return
        told: dict[int, bytes] = (
            {Tag.SC_INTERFACE_VERSION: VERSION} if status is CommandStatus.ESME_ROK else {}
        )
        answer = Answer(status, SYSTEM, told)
        self._answer(frame, answer)
        if status is CommandStatus.ESME_ROK:
            self._go_on()
        else:
            self._end()

    # What leaves ---------------------------------------------------------------------------------

    def _write(
        self,
        command: int,
        sequence: int,
        body: Body = _NOTHING,
        status: int = CommandStatus.ESME_ROK,
    ) -> None:
        if self._has_ended or self._transport.is_closing():
            return
        octets = body.write()
        if self.traced is not None:
            self.traced("out", self.bind_id, Frame(command, status, sequence, octets))
        # What a batch answers leaves in one piece: to hand each answer over costs as much as making it.
        self._leaving.append(framed(command, sequence, octets, status))
        if len(self._leaving) == 1:
            self._loop.call_soon(self._flush)
        elif len(self._leaving) >= MAX_GATHERED:
            self._flush()

    def _flush(self) -> None:
        leaving, self._leaving = self._leaving, []
        if leaving and not (self._has_ended or self._transport.is_closing()):
            self._transport.write(b"".join(leaving))

    def _nack(self, sequence: int, status: CommandStatus) -> None:
        self._write(Command.GENERIC_NACK, sequence, status=status)

    def _answer(self, frame: Frame, answer: Answer) -> None:
        """Answer a request, whatever became of it."""
        body: Body = _NOTHING
        if frame.command not in (Command.CANCEL_SM, Command.REPLACE_SM, Command.QUERY_SM):
            body = Named(answer.message_id, answer.parameters)
        self._write(frame.command | RESPONSE, frame.sequence, body, answer.status)

    @property
    def use(self) -> BindUse | None:
        """What came and went by the bind; None before there is one."""
        if self.bind_id is None:
            return None
        return BindUse(
            self.bind_id, self._submitted, self._delivered_count, self._heard_at, self._submits
        )

    @property
    def may_receive(self) -> bool:
        """Whether messages may be delivered to this client."""
        is_receiver = self.mode in ("receiver", "transceiver")
        return is_receiver and not (self._has_ended or self._is_leaving or self._is_choked)

    async def deliver(self, message: ShortMessage) -> int | None:
        """Deliver a message to the client: the status that it answers, None where it does not."""
        self.deliveries += 1
        try:
            async with asyncio.timeout(DELIVER_SECONDS):
                await self._room.acquire()
        except TimeoutError:
            return None
        else:
            try:
                return await self._delivered(message) if self.may_receive else None
            finally:
                self._room.release()
        finally:
            self.deliveries -= 1

    async def _delivered(self, message: ShortMessage) -> int | None:
        sequence = self._next_sequence()
        answer: asyncio.Future[int | None] = self._loop.create_future()
        self._delivering[sequence] = answer
        self._write(Command.DELIVER_SM, sequence, message)
        try:
            async with asyncio.timeout(DELIVER_SECONDS):
                status = await answer
            self._delivered_count += status == CommandStatus.ESME_ROK
            return status
        except TimeoutError:
            return None
        finally:
            del self._delivering[sequence]

    # The end -------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Finish what is under way, unbind and close: the process ends, or the account has."""
        self._leave(None)

    def _leave(self, sequence: int | None) -> None:
        """`sequence`: of the client's unbind; None where it is ours."""
        if self._is_leaving:
            return
        self._is_leaving, self._unbind_sequence = True, sequence
        self._take_answers()
        self._unbind_when_done()

    def _unbind_when_done(self) -> None:
        if self._submits or self._has_ended:
            return
        if self._unbind_sequence is not None:
            self._write(Command.UNBIND_RESP, self._unbind_sequence)
            self._end()
        elif self.mode is None:
            self._end()
        else:
            self._write(Command.UNBIND, self._next_sequence())
            self._read_on(True)
            self._loop.call_later(UNBIND_SECONDS, self._end)

    def _end(self) -> None:
        self._is_leaving = True
        if not self._has_ended:
            self._flush()
            self._transport.close()

    def cut_off(self) -> None:
        """End now, whatever is under way."""
        self._transport.abort()

    def _next_sequence(self) -> int:
        self._sequence = self._sequence % 0x7FFFFFFF + 1
        return self._sequence

    def look(self) -> None:
        """Each second: whoever does not bind, does not go on, or does not answer, is let go."""
        at = self._loop.time()
        is_stuck = (
            (self.mode is None and not self._is_binding and at - self._began > BIND_SECONDS)
            or (self._amid_since is not None and at - self._amid_since > PDU_SECONDS)
            or (self._is_choked and at - self._choked_since > PDU_SECONDS)
        )
        if is_stuck:
            self._transport.abort()
        elif at - self._heard > SILENCE_SECONDS:
            self.leave()
        elif at - self._heard > ENQUIRE_SECONDS and not self._asked and not self._is_full:
            self._asked = True
            self._write(Command.ENQUIRE_LINK, self._next_sequence())


def _certificate_of(transport: asyncio.BaseTransport) -> str | None:
    tls = transport.get_extra_info("ssl_object")
    shown = None if tls is None else tls.getpeercert(binary_form=True)
    return None if shown is None else hashlib.sha256(shown).hexdigest()
