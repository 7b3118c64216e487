"""Clients that do not read what is written to them, over HTTP and over WebSocket alike."""

import asyncio

UNREAD_SECONDS = 30.0
SLOWEST_READER = 1_000
"""Bytes in a second that a client takes of what waits for it."""


class SlowReaders(asyncio.Protocol):
    """What a connection does about it: it is cut where nearly nothing is read. To close it alone
    would wait for ever, with all that was written.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _reader_clock: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching_reader()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.watch_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_watching_reader()

    def watch_reader(self) -> None:
        """Look again and again whether it takes what waits for it, until all is taken."""
        if self._reader_clock is None:
            waiting = self.transport.get_write_buffer_size()
            self._reader_clock = self.loop.call_later(UNREAD_SECONDS, self._look_at_reader, waiting)

    def _look_at_reader(self, waited: int) -> None:
        self._reader_clock = None
        if waited - self.transport.get_write_buffer_size() < min(
            waited, SLOWEST_READER * UNREAD_SECONDS
        ):
            self.transport.abort()
        else:
            self.watch_reader()

    def _stop_watching_reader(self) -> None:
        if self._reader_clock is not None:
            self._reader_clock.cancel()
            self._reader_clock = None
