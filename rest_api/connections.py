"""The HTTP connections of the server: uvicorn's, with an end to whatever a client may begin and
leave.

A head has a size and a time, a body has to get on, and who says nothing or reads nothing is let go.
Requests that come whole, which is nearly all of them, set no clock.
"""

import asyncio
import sys
from typing import Any, Literal, cast

import orjson
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from core import media
from core.foundation.errors import ServiceError
from core.foundation.ids import random_base62
from core.foundation.settings import current
from rest_api.joined_writes import JoinedWrites
from rest_api.slow_readers import SlowReaders
from rest_api.socket_connections import ServedSocketConnection
from rest_api.support.answers import PROBLEM
from rest_api.support.broken_requests import HeadTooLarge, TooSlow, Unreadable
from rest_api.support.problems import problem_body, status_of

MAX_HEAD_BYTES = 64 * 1024
"""Bytes of a request line and its headers."""

HEAD_SECONDS = 10.0
SILENT_SECONDS = 30.0
"""Until a connection asks for something."""

BODY_SECONDS = media.CHUNK_TIMEOUT + 5
"""How often a body is looked at: uploads, which have this clock themselves, answer first."""

FRAMING = 8
"""Bytes that frame each byte of a body at most: a chunk of one byte has six."""

MAX_QUEUED = 32
"""Requests that may wait for the answer to another one on the same connection. What comes behind them
is not begun: the last of their answers says that the connection ends.
"""

Phase = Literal["silent", "head", "body"]


class ServedHttpConnection(SlowReaders, HttpToolsProtocol):
    """One connection. `_phase` is what the client owes us, and what the clock runs for."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._phase: Phase | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._refused = False
        self._upgraded = False
        self._answering: RequestResponseCycle | None = None
        """The request whose answer is under way: of several in a queue, not the newest."""
        self._in_head = False
        self._in_body = False
        self._piece = 0
        self._bytes = 0
        """Of the request that is arriving: all pieces of it, the first only where it began with
        this request.
        """
        self._idle = True
        self._body_bytes = 0
        self._looked_at_bytes = 0
        self._looks = 0

    # The clocks ----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._joined = JoinedWrites(transport, self.loop)
        super().connection_made(cast("asyncio.Transport", self._joined))
        self._await("silent")

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
        self._joined.lose()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._piece = len(data)
        self._idle = not (self._in_head or self._in_body)
        self._bytes = self._piece if self._idle else self._bytes + self._piece
        super().data_received(data)
        if self._upgraded:
            return
        if (self._in_head or self._in_body) and self._is_too_large():
            self._refuse(HeadTooLarge())
        phase = self._owed()
        if phase != self._phase:
            self._await(phase)

    def _is_too_large(self) -> bool:
        """Whether what came beside the body, some of it held by the parser, is more than any head
        has.
        """
        return (self._in_head and self._bytes > MAX_HEAD_BYTES) or (
            self._in_body and self._bytes > 8 * MAX_HEAD_BYTES + FRAMING * self._body_bytes
        )

    def eof_received(self) -> bool:  # type: ignore[override] # uvicorn's says nothing
        """Whether to go on writing to a client that sends nothing more: what it asked whole is
        answered, and the connection ends behind that. Over TLS nobody can.
        """
        newest = self._open
        if newest is None or self._in_head or self._in_body or self.scheme == "https":
            return False
        newest.keep_alive = False
        return True

    def handle_websocket_upgrade(self) -> None:
        if self._open is not None:  # the rest of that answer would be taken for frames
            self._refuse(Unreadable())
            return
        self._upgraded = True
        self._await(None)
        self.transport = self._joined.bare
        super().handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        if isinstance(socket, ServedSocketConnection) and not socket.handshake_initiated:
            # It has a body, or a header beyond the bounds of sockets: nothing would be said to it.
            socket.connections.discard(socket)
            self.connections.add(self)
            self.transport.set_protocol(self)
            self._refuse(Unreadable())

    def _owed(self) -> Phase | None:
        """What the client is to send next; nothing while it waits for us."""
        if self._in_head:
            return "head"
        if self._in_body:
            return "body"
        return "silent" if self._open is None else None

    @property
    def _open(self) -> RequestResponseCycle | None:
        """The newest request, unless its answer is complete."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _await(self, phase: Phase | None) -> None:
        if phase == self._phase:
            return
        self._phase = phase
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if phase is not None and not self.transport.is_closing():
            self._looks = 0
            self._looked_at_bytes = self._body_bytes
            self._clock = self.loop.call_later(self._seconds(), self._look)

    def _seconds(self) -> float:
        return {"silent": SILENT_SECONDS, "head": HEAD_SECONDS, "body": BODY_SECONDS}[
            self._phase or "silent"
        ]

    def _look(self) -> None:
        """Time is up: for a body only if it does not get on, and for nobody whom we keep from
        sending.
        """
        self._clock = None
        if self._phase == "silent":
            self._end()
        elif self.flow.read_paused or (self._phase == "body" and self._gets_on()):
            self._clock = self.loop.call_later(self._seconds(), self._look)
        else:
            self._refuse(TooSlow())

    def _gets_on(self) -> bool:
        """Whether bytes came since the last look, and enough of them since the first."""
        came, self._looked_at_bytes = self._body_bytes - self._looked_at_bytes, self._body_bytes
        enough = self._body_bytes >= media.MIN_BYTES_PER_SECOND * self._looks * BODY_SECONDS
        self._looks += 1
        return came > 0 and enough

    # The parser's callbacks ----------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._in_head, self._in_body = True, False
        self._body_bytes = 0
        if not self._idle:
            self._bytes = 0
        self._idle = False
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        came_with_more = self._bytes > MAX_HEAD_BYTES or self._piece > MAX_HEAD_BYTES
        if came_with_more and self._size_of_head() > MAX_HEAD_BYTES:
            raise _Refused(HeadTooLarge())  # ends the parsing, see send_400_response
        if len(self.pipeline) >= MAX_QUEUED:
            raise _Enough
        super().on_headers_complete()
        self._in_body = True

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()

    def _size_of_head(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    # Refusals ------------------------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours says what to do
        """uvicorn's name for the end of what cannot be parsed; the parser says why only in passing."""
        found = getattr(sys.exc_info()[1], "__context__", None)
        newest = self._open
        if isinstance(found, _Enough) and newest is not None:
            newest.keep_alive = False
            self._refused = True
            self._in_head = False
        else:
            self._refuse(found.error if isinstance(found, _Refused) else Unreadable())

    def _refuse(self, error: ServiceError) -> None:
        """Answer, where that cannot be taken for the answer to another request, and let go."""
        unanswered = self._open
        if self._in_body:
            may_answer = (
                unanswered is not None and not unanswered.response_started and not self.pipeline
            )
        else:
            may_answer = unanswered is None
        if may_answer:
            self.transport.write(_answer(error))
        if unanswered is not None:
            unanswered.disconnected = True
            unanswered.message_event.set()
        self._refused, self._in_head, self._in_body = True, False, False
        self._end()

    # Ends -----------------------------------------------------------------------------------------

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():  # uvicorn has closed it behind the last answer
            self.watch_reader()

    def timeout_keep_alive_handler(self) -> None:
        self._end()

    def _end(self) -> None:
        """Close once what was written is read; who does not read it is let go all the same."""
        self._await(None)
        if not self.transport.is_closing():
            self.transport.close()
        self.watch_reader()


class _Refused(Exception):
    """What a callback of the parser finds wrong."""

    def __init__(self, error: ServiceError) -> None:
        self.error = error


class _Enough(Exception):
    """As many requests wait as may."""


def _answer(error: ServiceError) -> bytes:
    """The whole answer to what is no request yet: nothing is known of who asks, nor of the
    language.
    """
    request_id = f"req_{random_base62(21)}"
    body = orjson.dumps(
        problem_body(error, base_url=current().base_url, path="", request_id=request_id)
    )
    headers = {
        b"x-request-id": request_id.encode(),
        b"content-type": PROBLEM,
        b"content-length": str(len(body)).encode(),
        b"connection": b"close",
    }
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers.items())
    return STATUS_LINE[status_of(error)] + lines + b"\r\n" + body
