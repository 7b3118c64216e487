"""Cutting the stream of a connection into PDUs: as many as have arrived whole, none longer than the bound."""

import struct
from collections.abc import Generator
from typing import NamedTuple

from smpp_api.wire.commands import CommandStatus, Malformed

HEADER_LENGTH = 16
MAX_LENGTH = 65_536
"""A message_payload may have 64 KiB; whoever says more speaks another protocol."""

_HEADER = struct.Struct(">LLLL")


class Frame(NamedTuple):
    """A PDU whose body is not read yet. `command`: whatever number it has."""

    command: int
    status: int
    sequence: int
    body: bytes


class Frames:
    """What has arrived of a connection and was not a whole PDU yet."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting = b""

    @property
    def is_amid(self) -> bool:
        """Whether a PDU has begun to arrive."""
        return bool(self._waiting)

    def arrived(self, data: bytes) -> Generator[Frame]:
        """The PDUs that are whole by these bytes. Raises Malformed for a length that none has: the
        stream cannot be read on.
        """
        data = self._waiting + data if self._waiting else data
        place, end = 0, len(data)
        # What is left is kept whatever the taker does with a PDU.
        try:
            while end - place >= HEADER_LENGTH:
                length, command, status, sequence = _HEADER.unpack_from(data, place)
                if not HEADER_LENGTH <= length <= MAX_LENGTH:
                    raise Malformed(CommandStatus.ESME_RINVCMDLEN, f"command_length {length}")
                if end - place < length:
                    return
                body = data[place + HEADER_LENGTH : place + length]
                place += length
                yield Frame(command, status, sequence, body)
        finally:
            self._waiting = data[place:]


def framed(command: int, sequence: int, body: bytes = b"", status: int = 0) -> bytes:
    """A PDU as it is written."""
    return _HEADER.pack(HEADER_LENGTH + len(body), command, status, sequence) + body
