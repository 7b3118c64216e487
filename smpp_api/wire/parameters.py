"""Optional parameters (TLVs): the tags of SMPP 3.4, ours, and their values."""

from collections.abc import Iterable, Mapping
from enum import IntEnum

from smpp_api.wire.commands import CommandStatus, Malformed

Parameters = Mapping[int, bytes]
"""Value by tag; of several with one tag the last counts."""


class Tag(IntEnum):
    """What is known by a name here; others pass through unread."""

    DEST_ADDR_SUBUNIT = 0x0005
    PAYLOAD_TYPE = 0x0019
    ADDITIONAL_STATUS_INFO_TEXT = 0x001D
    RECEIPTED_MESSAGE_ID = 0x001E
    USER_MESSAGE_REFERENCE = 0x0204
    SOURCE_PORT = 0x020A
    DESTINATION_PORT = 0x020B
    SAR_MSG_REF_NUM = 0x020C
    SAR_TOTAL_SEGMENTS = 0x020E
    SAR_SEGMENT_SEQNUM = 0x020F
    SC_INTERFACE_VERSION = 0x0210
    NETWORK_ERROR_CODE = 0x0423
    MESSAGE_PAYLOAD = 0x0424
    DELIVERY_FAILURE_REASON = 0x0425
    MORE_MESSAGES_TO_SEND = 0x0426
    MESSAGE_STATE = 0x0427
    # Those of vendors begin at 0x1400; these are ours.
    IDEMPOTENCY_KEY = 0x1500
    ROUTE = 0x1501
    METADATA = 0x1502
    CAMPAIGN_ID = 0x1503
    CONTACT_ID = 0x1504
    REASON = 0x1510


def read_parameters(body: bytes, place: int) -> dict[int, bytes]:
    """The parameters from this place to the end. Raises Malformed."""
    found: dict[int, bytes] = {}
    end = len(body)
    while place < end:
        if end - place < 4:
            raise Malformed(CommandStatus.ESME_RINVOPTPARSTREAM, "half of an optional parameter")
        tag = int.from_bytes(body[place : place + 2])
        length = int.from_bytes(body[place + 2 : place + 4])
        place += 4
        if end - place < length:
            raise Malformed(CommandStatus.ESME_RINVPARLEN, f"optional parameter 0x{tag:04X}")
        found[tag] = body[place : place + length]
        place += length
    return found


def write_parameters(parameters: Parameters) -> bytes:
    """The parameters as they are written. Raises ValueError for a value that is too long."""
    return b"".join(tag.to_bytes(2) + _length(value) + value for tag, value in parameters.items())


def _length(value: bytes) -> bytes:
    if len(value) > 0xFFFF:
        raise ValueError("too long for an optional parameter")
    return len(value).to_bytes(2)


def number_of(parameters: Parameters, tag: Tag, width: int) -> int | None:
    """The value of a parameter that is a number of so many bytes; None where it is not given.
    Raises Malformed.
    """
    value = parameters.get(tag)
    if value is None:
        return None
    if len(value) != width:
        raise Malformed(CommandStatus.ESME_RINVPARLEN, tag.name.lower())
    return int.from_bytes(value)


def text_of(parameters: Parameters, tag: Tag, *, longest: int) -> str | None:
    """The value of a parameter that is printable ASCII, with or without the zero of a C string;
    None where it is not given. Raises Malformed.
    """
    value = parameters.get(tag)
    if value is None:
        return None
    value = value.removesuffix(b"\0")
    if not 0 < len(value) <= longest:
        raise Malformed(CommandStatus.ESME_RINVPARLEN, tag.name.lower())
    if not (value.isascii() and value.decode("ascii").isprintable()):
        raise Malformed(CommandStatus.ESME_RINVOPTPARAMVAL, tag.name.lower())
    return value.decode("ascii")


def c_text(text: str) -> bytes:
    """A value that is a C string."""
    return text.encode("ascii", "replace") + b"\0"


def without(parameters: Parameters, tags: Iterable[int]) -> dict[int, bytes]:
    """The parameters but these."""
    gone = set(tags)
    return {tag: value for tag, value in parameters.items() if tag not in gone}
