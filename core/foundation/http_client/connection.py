"""HTTP/1.1 connection: one request at a time, and the answer that the peer gives to it."""

import asyncio
from collections.abc import Callable
from typing import cast

from core.foundation.http_client.response import ResponseReader


def _nobody(_: "HttpConnection") -> None:
    pass


class HttpConnection(asyncio.Protocol):
    """A connection to a peer; plain or TLS is the transport's business.

    It ends at once: a polite end waits for the peer, half a minute for a TLS goodbye that never
    comes, and as long as it likes for one that does not read. Receivers that hang would fill the
    process with sockets nobody counts.
    """

    __slots__ = (
        "_asked",
        "_enough",
        "_loop",
        "_most",
        "_paused",
        "_transport",
        "_waiter",
        "ended",
        "on_end",
        "response",
    )

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._asked = False
        self._waiter: asyncio.Future[None] | None = None
        self._enough = 0
        self._most = 0
        self._paused = False
        self.ended = False
        self.on_end: Callable[[HttpConnection], None] = _nobody
        """Called once when nothing can be sent any more."""
        self.response = ResponseReader()

    # What whoever sends a request calls.

    def send(self, request: bytes, *, most: int) -> None:
        """Send a request. Once `most` bytes of the answer's body wait here, no more are read.

        There is no waiting for room: the request is in memory anyhow, and a peer may answer before
        it has read it all.
        """
        self.response.expect()
        self._asked = True
        self._most = most
        if self._transport is not None:
            self._transport.write(request)

    async def received(self, enough: int) -> None:
        """Wait for the answer's head and `enough` bytes of its body, or for the end of what comes."""
        while not self._has(enough):
            self._resume()
            self._enough = enough
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    @property
    def is_open(self) -> bool:
        """Whether a request could be sent now."""
        return not self.ended and self._transport is not None and not self._transport.is_closing()

    @property
    def is_reusable(self) -> bool:
        """Whether request and answer are through, so that another request may follow."""
        return (
            self.response.complete
            and self.response.reusable
            and self.is_open
            and self._transport is not None
            and not self._transport.get_write_buffer_size()
        )

    def rest(self) -> None:
        """The answer was taken; until the next request nothing is expected."""
        self._asked = False
        self._resume()

    def abort(self) -> None:
        """End it now."""
        if self._transport is not None:
            self._transport.abort()

    # What the loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if not self._asked:
            # It would be taken for the answer to the next request; and a flood has to end.
            self.abort()
            return
        self.response.feed(data)
        if len(self.response.body) >= self._most and not self._paused and self.is_open:
            self._paused = True
            assert self._transport is not None
            self._transport.pause_reading()
        self._look()

    def eof_received(self) -> bool:
        self._end(cleanly=True)
        self.abort()
        return False

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - of a protocol
        self._end(cleanly=False)
        self._transport = None

    def _end(self, *, cleanly: bool) -> None:
        if self.ended:
            return
        self.ended = True
        self.response.end(cleanly=cleanly)
        self._look()
        self.on_end(self)

    def _has(self, enough: int) -> bool:
        response = self.response
        return (
            response.complete
            or response.failed
            or self.ended
            or (response.status is not None and len(response.body) >= enough)
        )

    def _look(self) -> None:
        if self._waiter is not None and not self._waiter.done() and self._has(self._enough):
            self._waiter.set_result(None)

    def _resume(self) -> None:
        if self._paused and self.is_open:
            self._paused = False
            assert self._transport is not None
            self._transport.resume_reading()
