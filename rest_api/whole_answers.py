"""Answers that are whole leave in one write: head and body, checked once.

uvicorn checks and writes each header by itself, with two regular expressions, and the body apart; for a
short answer that is a tenth of what the request costs. What is not whole (a stream, a file, an answer
that closes its connection) is left to uvicorn.
"""

import re
from collections.abc import Awaitable, Sequence
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope
from uvicorn.protocols.http.httptools_impl import (
    HEADER_VALUE_RE,
    STATUS_LINE,
    RequestResponseCycle,
)

LARGE = 65_536
"""Bytes of a body from which on it is not copied behind its head."""

PLAIN_NAMES = re.compile(rb"[a-z0-9,-]+\Z")
UVICORNS = frozenset({b"connection", b"transfer-encoding"})
"""Headers that say how the answer is to be sent."""

BODILESS = frozenset({204, 304})

Header = tuple[bytes, bytes]


class WholeAnswers:
    """The application of one request. A head that tells the length of its body is held until that
    begins.
    """

    __slots__ = ("_app", "_cycle", "_head", "_start")

    def __init__(self, app: ASGIApp, cycle: RequestResponseCycle) -> None:
        self._app = app
        self._cycle = cycle
        self._start: Message | None = None
        self._head = b""

    def __call__(self, scope: Scope, receive: Receive, _: object) -> Awaitable[None]:
        """Answer the request."""
        return self._app(scope, receive, self._send)

    async def _send(self, message: Message) -> None:
        start, cycle = self._start, self._cycle
        if start is None and message["type"] == "http.response.start":
            head = None if self._is_special(message) else head_of(message["headers"])
            if head is not None:
                self._start, self._head = message, head
                return
        elif start is not None:
            self._start = None
            if self._is_written(start, message):
                return
            await cycle.send(_typed(start))
        await cycle.send(_typed(message))

    def _is_special(self, start: Message) -> bool:
        """Whether uvicorn is to begin the answer."""
        cycle = self._cycle
        return (
            cycle.response_started
            or not cycle.keep_alive
            or cycle.access_log
            or start["status"] in BODILESS
            or cycle.scope["method"] == "HEAD"
        )

    def _is_written(self, start: Message, message: Message) -> bool:
        """Write the answer, where this is all of its body. Answers whether it was."""
        cycle, body = self._cycle, message.get("body", b"")
        if (
            message.get("more_body", False)
            or message["type"] != "http.response.body"
            or cycle.disconnected
            or cycle.flow.write_paused
            or not cycle.keep_alive
            or len(body) > LARGE
            or (b"content-length", b"%d" % len(body)) not in start["headers"]
        ):
            return False
        default = b"".join([b"%b: %b\r\n" % header for header in cycle.default_headers])
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(STATUS_LINE[start["status"]] + default + self._head + body)
        cycle.message_event.set()
        cycle.on_response()
        return True


def head_of(headers: Sequence[Header]) -> bytes | None:
    """The headers as they are sent, with the empty line behind them. None where one of them is not in
    order or speaks of the connection, or none tells the length of the body.
    """
    if not headers:
        return None
    names, values = zip(*headers, strict=True)
    if (
        b"content-length" not in names
        or not UVICORNS.isdisjoint(names)
        or not PLAIN_NAMES.match(b",".join(names))
        or HEADER_VALUE_RE.search(b"".join(values))
    ):
        return None
    return b"\r\n".join(map(b": ".join, headers)) + b"\r\n\r\n"


def _typed(message: Message) -> Any:
    """As uvicorn declares it."""
    return message
