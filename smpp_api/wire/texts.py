"""Texts as bytes: the data codings that are spoken, and the default alphabet, one character a byte."""

import codecs
from typing import Literal

from core.sms import gsm_alphabet
from smpp_api.wire.commands import CommandStatus, Malformed

Charset = Literal["gsm", "latin1", "ascii"]
"""What data_coding 0 means to an account."""

DEFAULT, IA5, LATIN_1, UCS_2 = 0, 1, 3, 8

_ESCAPE = 0x1B
_BASIC, _EXTENSION = gsm_alphabet()
_TABLE = "".join(_BASIC.get(septet, "\ufffe") for septet in range(0x80))
"""Of texts without an escape; U+FFFE is no character, and neither is what lies beyond the table."""
_BYTE_OF = {char: bytes((byte,)) for byte, char in _BASIC.items()} | {
    char: bytes((_ESCAPE, byte)) for byte, char in _EXTENSION.items()
}


def read_text(octets: bytes, coding: int, default: Charset) -> str:
    """The text of a message. Raises Malformed."""
    try:
        match coding:
            case 0:
                return _read_gsm(octets) if default == "gsm" else octets.decode(_NAMES[default])
            case 1:
                return octets.decode("ascii")
            case 3:
                return octets.decode("latin-1")
            case 8:
                return octets.decode("utf-16-be")
    except UnicodeDecodeError:
        raise Malformed(
            CommandStatus.ESME_RSUBMITFAIL, f"the text is not what data_coding {coding} says"
        ) from None
    raise Malformed(CommandStatus.ESME_RSUBMITFAIL, f"data_coding {coding} is not known here")


def write_text(text: str, default: Charset) -> tuple[bytes, int]:
    """A text and its data_coding: the default where it can carry all of it, else UTF-16."""
    try:
        return _write_gsm(text) if default == "gsm" else text.encode(_NAMES[default]), DEFAULT
    except UnicodeEncodeError:
        return text.encode("utf-16-be", "replace"), UCS_2


_NAMES = {"latin1": "latin-1", "ascii": "ascii"}


def _read_gsm(octets: bytes) -> str:
    if _ESCAPE not in octets:
        return codecs.charmap_decode(octets, "strict", _TABLE)[0]
    chars: list[str] = []
    escaped = False
    for place, byte in enumerate(octets):
        if byte > 0x7F:
            raise UnicodeDecodeError("gsm", octets, place, place + 1, "no character")
        if escaped:
            # What a phone does not know it shows by the character of the basic table.
            chars.append(_EXTENSION.get(byte) or _BASIC.get(byte, " "))
            escaped = False
        elif byte == _ESCAPE:
            escaped = True
        else:
            chars.append(_BASIC[byte])
    return "".join(chars)


def _write_gsm(text: str) -> bytes:
    try:
        return b"".join([_BYTE_OF[char] for char in text])
    except KeyError:
        raise UnicodeEncodeError("gsm", text, 0, 1, "no character") from None
