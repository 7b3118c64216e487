"""Two thousand dashboards of one organization, subscribed to its messages, of which there are
twenty a second.
"""

import asyncio
import base64
import os
from typing import cast

import orjson

from bench.floods.requests import sends_of
from bench.floods.run import Flood
from bench.kit.http import content_length

SOCKETS = 2_000
PER_SECOND = 20
AT_ONCE = 50
"""Sockets that connect at the same time."""

DOCUMENT = "subscription { messageChanged { id status to createdAt contact { id name } } }"


async def subscribers(flood: Flood) -> None:
    """Subscribe, then send to be told of; `done` counts the messages of the protocol that arrive."""
    loop = asyncio.get_running_loop()
    sockets: list[Socket] = []
    try:
        for start in range(0, SOCKETS, AT_ONCE):
            some = [
                (await loop.create_connection(lambda: Socket(flood), "127.0.0.1", flood.port))[1]
                for _ in range(start, min(SOCKETS, start + AT_ONCE))
            ]
            sockets += some
            await asyncio.gather(*(one.subscribed for one in some))
        await _send(flood)
    finally:
        for socket in sockets:
            socket.drop()


async def _send(flood: Flood) -> None:
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection("127.0.0.1", flood.port)
    began = loop.time()
    for number, request in enumerate(sends_of(flood)):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(content_length(head))
        if number == PER_SECOND:
            flood.begun.set()
        await asyncio.sleep(max(0, began + (number + 1) / PER_SECOND - loop.time()))


class Socket(asyncio.Protocol):
    """A WebSocket that costs little: it counts the frames that come. None of them is longer than
    65,535 bytes.
    """

    def __init__(self, flood: Flood) -> None:
        self._flood = flood
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._upgraded = False
        self.subscribed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            *(
                "GET /graphql HTTP/1.1",
                "Host: 127.0.0.1",
                "Connection: Upgrade",
                "Upgrade: websocket",
            ),
            *(f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"),
            # As browsers and most libraries offer it.
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
            *("Sec-WebSocket-Protocol: graphql-transport-ws", "", ""),
        )
        self._transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        if not self._upgraded:
            head, found, received = received.partition(b"\r\n\r\n")
            if not found:
                self._received = head
                return
            self._upgraded = True
            self._say({"type": "connection_init", "payload": {"key": self._flood.key}})
        at = 0
        while len(received) - at >= 2:
            length, start = received[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(received[at + 2 : at + 4]), at + 4
            if len(received) < start + length:
                break
            self._frame(received[at] & 0x0F, received[start : start + length])
            at = start + length
        self._received = received[at:]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == 9:
            self._write(10, payload)
        elif opcode == 8:
            raise ConnectionResetError(payload)
        elif self.subscribed.done():
            self._flood.done += 1
        else:  # the acknowledgement
            self._say({"type": "subscribe", "id": "1", "payload": {"query": DOCUMENT}})
            self.subscribed.set_result(None)

    def _say(self, message: dict[str, object]) -> None:
        self._write(1, orjson.dumps(message))

    def _write(self, opcode: int, payload: bytes) -> None:
        """A masked frame; a mask of zeros changes nothing."""
        assert self._transport is not None
        size = (
            bytes([0x80 | len(payload)])
            if len(payload) < 126
            else b"\xfe" + len(payload).to_bytes(2)
        )
        self._transport.write(bytes([0x80 | opcode]) + size + bytes(4) + payload)

    def drop(self) -> None:
        """Go without a word."""
        if self._transport is not None:
            self._transport.abort()
