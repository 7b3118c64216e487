"""A transport on which the head of an answer leaves together with its body.

uvicorn writes them one after the other, and each write is a system call, a packet and a client that
wakes up.
"""

import asyncio
from collections.abc import Callable
from typing import Any

HEAD = b"HTTP/1.1 "
LARGE = 65_536
"""Bytes of a body from which on it is not copied behind its head."""


class JoinedWrites:
    """The transport of a connection. A head is held until its body begins, or to the end of the turn
    of the loop in which it was written: what is streamed later does not keep it back.
    """

    def __init__(self, bare: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.bare = bare
        """The transport itself."""
        self._write: Callable[[bytes], None] = bare.write
        self._writelines: Callable[[tuple[bytes, ...]], None] = bare.writelines
        self._call_soon = loop.call_soon
        self._head: bytes | None = None
        self.is_closing = bare.is_closing  # asked at every request

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    def write(self, data: bytes) -> None:
        """Write, or hold what is a head."""
        head = self._head
        if head is not None:
            self._head = None
            if len(data) < LARGE:
                self._write(head + data)
            else:
                self._writelines((head, data))
        elif data.startswith(HEAD):
            self._head = data
            self._call_soon(self._let_go)
        else:
            self._write(data)

    def close(self) -> None:
        """Close it once what was written has left."""
        self._let_go()
        self.bare.close()

    def abort(self) -> None:
        """Close it at once."""
        self._head = None
        self.bare.abort()

    def lose(self) -> None:
        """The connection is gone: what is written from here on, the head too that was held, is dropped.
        The transport would raise, as if it were a fault of ours.
        """
        self._head = None
        self._write = self._writelines = _drop

    def get_write_buffer_size(self) -> int:
        """How many bytes have not left yet."""
        return self.bare.get_write_buffer_size() + len(self._head or b"")

    def _let_go(self) -> None:
        head, self._head = self._head, None
        if head is not None:
            self._write(head)


def _drop(_: object) -> None:
    """For writing to nobody."""
