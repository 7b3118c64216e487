"""Long texts: parts by a user data header or by sar parameters read, and a long text cut into parts."""

from collections.abc import Sequence
from typing import NamedTuple

from smpp_api.wire.bodies import DataSm, ShortMessage
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.parameters import Parameters, Tag, number_of
from smpp_api.wire.texts import UCS_2

HAS_HEADER = 0x40
"""The bit of esm_class that says so."""

_REFERENCE_OF_8_BITS, _REFERENCE_OF_16_BITS = 0x00, 0x08
PART_OCTETS = 140
SEPTETS, ONE_PART_SEPTETS = 153, 160
_ESCAPE = 0x1B


class Place(NamedTuple):
    """Where a part belongs: the `number`-th of `total` with one reference."""

    reference: int
    total: int
    number: int


class Content(NamedTuple):
    """What a message carries. `place`: None where it is whole."""

    octets: bytes
    place: Place | None


def content_of(message: ShortMessage | DataSm) -> Content:
    """The octets of a message without its header, from whichever field they are in. Raises
    Malformed.
    """
    if not (message.parameters or message.esm_class & HAS_HEADER):
        return Content(message.text if isinstance(message, ShortMessage) else b"", None)
    payload = message.parameters.get(Tag.MESSAGE_PAYLOAD)
    octets = message.text if isinstance(message, ShortMessage) else b""
    if payload is not None:
        if octets:
            raise Malformed(CommandStatus.ESME_RINVMSGLEN, "short_message and message_payload")
        octets = payload
    by_parameters = _place_in(message.parameters)
    if not message.esm_class & HAS_HEADER:
        return Content(octets, by_parameters)
    by_header, octets = _read_header(octets)
    return Content(octets, by_header or by_parameters)


def _place_in(parameters: Parameters) -> Place | None:
    reference = number_of(parameters, Tag.SAR_MSG_REF_NUM, 2)
    total = number_of(parameters, Tag.SAR_TOTAL_SEGMENTS, 1)
    number = number_of(parameters, Tag.SAR_SEGMENT_SEQNUM, 1)
    if reference is None or total is None or number is None:
        return None
    return _place(reference, total, number, CommandStatus.ESME_RINVOPTPARAMVAL)


def _place(reference: int, total: int, number: int, status: CommandStatus) -> Place | None:
    """None for the only part of one."""
    if not 0 < number <= total:
        raise Malformed(status, f"part {number} of {total}")
    return Place(reference, total, number) if total > 1 else None


def _read_header(octets: bytes) -> tuple[Place | None, bytes]:
    """The place that a user data header tells, and what follows it."""
    end = 1 + octets[0] if octets else 1
    if not octets or end > len(octets):
        raise Malformed(CommandStatus.ESME_RINVESMCLASS, "the user data header is cut off")
    found: Place | None = None
    at = 1
    while at < end:
        kind, length = octets[at], octets[at + 1] if at + 1 < end else -1
        value = octets[at + 2 : at + 2 + length]
        if length < 0 or at + 2 + length > end:
            raise Malformed(
                CommandStatus.ESME_RINVESMCLASS, "an element of the user data header is cut off"
            )
        if kind == _REFERENCE_OF_8_BITS and length == 3:
            found = _place(value[0], value[1], value[2], CommandStatus.ESME_RINVESMCLASS)
        elif kind == _REFERENCE_OF_16_BITS and length == 4:
            found = _place(
                int.from_bytes(value[:2]), value[2], value[3], CommandStatus.ESME_RINVESMCLASS
            )
        at += 2 + length
    return found, octets[end:]


# Cutting ------------------------------------------------------------------------------------------


def cut(octets: bytes, coding: int, *, reference: int) -> Sequence[bytes]:
    """The octets in parts, each with its header; the octets alone where one part holds them. No
    character is cut: neither an escaped one nor one of two UTF-16 units. Raises ValueError for more
    than 255 parts.
    """
    whole, part = (PART_OCTETS, PART_OCTETS - 6) if coding == UCS_2 else (ONE_PART_SEPTETS, SEPTETS)
    if len(octets) <= whole:
        return [octets]
    pieces: list[bytes] = []
    start = 0
    while start < len(octets):
        end = start + part
        if end < len(octets):
            end -= _opens_a_pair(octets, end, coding)
        pieces.append(octets[start:end])
        start = end
    if len(pieces) > 255:
        raise ValueError("more than 255 parts")
    return [
        bytes((5, _REFERENCE_OF_8_BITS, 3, reference & 0xFF, len(pieces), number)) + piece
        for number, piece in enumerate(pieces, 1)
    ]


def _opens_a_pair(octets: bytes, end: int, coding: int) -> int:
    """How many octets before this end belong to what comes after it."""
    if coding == UCS_2:
        return 2 if octets[end - 2] & 0xFC == 0xD8 else 0
    return 1 if octets[end - 1] == _ESCAPE else 0
