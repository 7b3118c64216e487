"""The WebSocket connections of the server: uvicorn's, which also take frames that are written
already.
"""

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from rest_api.slow_readers import SlowReaders

FRAMES: Final = "svc.frames"
"""The extension of the ASGI scope: a function that writes whole frames at once, or answers False.
"""


class ServedSocketConnection(SlowReaders, WebSocketsSansIOProtocol):
    """One connection. Frames are not compressed, so the same bytes may go to any number of clients."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if (
            not self.close_sent
        ):  # the application has not begun: it does in another turn of the loop
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[FRAMES] = self.write_frames

    def handle_ping(self) -> None:
        """A client that does not read is behind in pongs too: without a bound they would fill the
        memory.
        """
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Pieces without bytes count for no bound on messages."""
        if event.data or event.fin:
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.watch_reader()

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self.watch_reader()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.disconnected:
            self.watch_reader()

    def write_frames(self, frames: bytes) -> bool:
        """Write text frames behind whatever was sent. False, with nothing written, while the client
        is behind.

        What is written to a client that is gone, or that was said goodbye to, is dropped, as `send`
        would drop it.
        """
        if not self.writable.is_set():
            return False
        if not self.close_sent and not self.disconnected and not self.transport.is_closing():
            self.transport.write(frames)
        return True
