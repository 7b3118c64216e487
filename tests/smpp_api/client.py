"""A client of SMPP for tests: sends what it is told, byte by byte if need be, and keeps what comes."""

import asyncio
from typing import Any

from smpp_api.wire.bodies import (
    Address,
    AnyBody,
    Bind,
    Body,
    Named,
    Nothing,
    ShortMessage,
    read_body,
)
from smpp_api.wire.commands import RESPONSE, Command, CommandStatus
from smpp_api.wire.frames import Frame, Frames, framed
from tests.support.waiting import PATIENCE

PHONE = Address("5511987650005", 1, 1)
NOTHING = Nothing()


class Client:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = Frames()
        self._arrived: list[Frame] = []
        self._sequence = 0

    @classmethod
    async def connected(cls, port: int) -> "Client":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def cut(self) -> None:
        """End the connection at once."""
        self._writer.transport.abort()

    async def write(self, octets: bytes) -> None:
        self._writer.write(octets)
        await self._writer.drain()

    async def begin(self, command: Command, body: Body = NOTHING) -> int:
        """Send a request; answers its sequence number."""
        self._sequence += 1
        await self.write(framed(command, self._sequence, body.write()))
        return self._sequence

    async def next(self) -> Frame | None:
        """The next PDU; None where the connection has ended."""
        async with asyncio.timeout(PATIENCE):
            while not self._arrived:
                try:
                    data = await self._reader.read(65_536)
                except ConnectionError:
                    return None
                if not data:
                    return None
                self._arrived += self._frames.arrived(data)
        return self._arrived.pop(0)

    async def answer(self, sequence: int) -> Frame:
        """The answer to a request; others that come before it are passed over."""
        while True:
            frame = await self.next()
            assert frame is not None, "the connection has ended"
            if frame.sequence == sequence and frame.command & RESPONSE:
                return frame

    async def ask(self, command: Command, body: Body = NOTHING) -> tuple[CommandStatus, AnyBody]:
        """Send a request and wait for its answer."""
        frame = await self.answer(await self.begin(command, body))
        return CommandStatus(frame.status), read_body(frame.command, frame.body)

    async def bind(
        self, account: dict[str, Any], command: Command = Command.BIND_TRANSCEIVER, **changes: Any
    ) -> CommandStatus:
        """Bind with an account."""
        body = Bind(
            **{"system_id": account["systemId"], "password": account["password"], **changes}
        )
        status, _ = await self.ask(command, body)
        return status

    async def submit(self, text: bytes = b"Hello", **fields: Any) -> tuple[CommandStatus, Named]:
        """Submit a message."""
        message = ShortMessage(**{"destination": PHONE, "text": text, **fields})
        status, body = await self.ask(Command.SUBMIT_SM, message)
        assert isinstance(body, Named)
        return status, body

    async def has_ended(self) -> bool:
        """Whether the other side closes, whatever it still says."""
        while await self.next() is not None:
            pass
        return True
