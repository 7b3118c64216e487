"""The encoding of an SMS: accents replaced, GSM-7 or UCS-2, length and segments.

Source: interface, POST /v2/sms/preview, and GSM 03.38. Long parts hold 152 characters here, not the
153 that the industry knows: the interface says so.
"""
# ruff: noqa: RUF001  the tables below are about characters that look alike

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from core.foundation.described_enum import DescribedEnum

ONE_PART_GSM, PART_GSM = 160, 152
ONE_PART_UCS2, PART_UCS2 = 70, 67

BASIC = (
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
"""The default alphabet without the escape code: one septet each."""
EXTENSION_SEPTETS = {
    0x0A: "\f",
    0x14: "^",
    0x28: "{",
    0x29: "}",
    0x2F: "\\",
    0x3C: "[",
    0x3D: "~",
    0x3E: "]",
    0x40: "|",
    0x65: "€",
}
EXTENSION = frozenset(EXTENSION_SEPTETS.values())
"""The extension table: the escape code and one septet, so two in length."""

FEW = 32
"""Up to so many different characters, replacing one after the other is several times faster than
one pass.
"""

_GSM = EXTENSION.union(BASIC)
_ESCAPE = "\x1b"
_ESCAPED = str.maketrans({char: _ESCAPE + char for char in EXTENSION})
_BASIC_LATIN = BASIC.encode("latin-1", "ignore")
_BASIC_RUN = re.compile(f"[{re.escape(BASIC)}]+")


class SmsEncoding(DescribedEnum):
    """The alphabet of an SMS; a long text loses a few characters in each of its parts."""

    GSM_7 = "GSM-7", "One SMS holds 160 characters"
    UCS_2 = "UCS-2", "One SMS holds 70 characters: the text has one that GSM-7 lacks"


class Encoded(NamedTuple):
    """A text as it reaches the device. `length` is in septets for GSM-7 and in UTF-16 units for
    UCS-2.
    """

    body: str
    encoding: SmsEncoding
    length: int
    segments: int


def gsm_alphabet() -> tuple[dict[int, str], dict[int, str]]:
    """The characters of the default alphabet by their septets, and those of the extension table by
    the septet that follows the escape code.
    """
    septets = [septet for septet in range(0x80) if septet != ord(_ESCAPE)]
    return dict(zip(septets, BASIC, strict=True)), EXTENSION_SEPTETS


def encode_sms(text: str) -> Encoded:
    """What leaves, and what it costs in parts: accents replaced where that helps, then counted."""
    return _encoded_latin(text) or count(replace_accents(text))


def _encoded_latin(text: str) -> Encoded | None:
    """The same in one pass, of what nearly every text is: Latin letters and signs whose equivalents
    are one septet each. None for any other.
    """
    try:
        plain = text.encode("latin-1").translate(_TO_BASIC_LATIN)
    except UnicodeEncodeError:
        return None
    if plain.translate(None, _BASIC_LATIN):
        return None
    length = len(plain)
    parts = 1 if length <= ONE_PART_GSM else -(-length // PART_GSM)
    return Encoded(plain.decode("latin-1"), SmsEncoding.GSM_7, length, parts)


def count(text: str) -> Encoded:
    """The alphabet, length and parts of exactly this text. Empty text is one empty part."""
    beyond = _beyond_basic(text)
    if EXTENSION.issuperset(beyond):
        length = len(text) + len(beyond)
        return Encoded(text, SmsEncoding.GSM_7, length, _gsm_parts(text, length))
    units = text.encode("utf-16-le", "surrogatepass")
    return Encoded(text, SmsEncoding.UCS_2, len(units) // 2, _ucs2_parts(text, units))


def replace_accents(text: str) -> str:
    """The text with everything outside GSM-7 replaced by its equivalent.

    It stays as it came when one character has no equivalent, when the replacement would need more
    parts (an ellipsis becomes three dots), or when nothing would be left of it.
    """
    foreign = _foreign(text)
    if not foreign:
        return text
    composed = text
    if max(foreign) > "\xff":  # Latin-1 is composed already.
        composed = unicodedata.normalize("NFC", text)
        foreign = _foreign(composed)
    replaced = _replaced(composed, foreign)
    if not replaced or _dearer(replaced, text):
        return text
    return replaced


def _replaced(text: str, foreign: set[str]) -> str | None:
    """The text with each of these characters replaced, or None when one has no equivalent."""
    equivalents = {}
    for char in foreign:
        equivalent = _equivalent(char)
        if equivalent is None:
            return None
        equivalents[char] = equivalent
    if len(equivalents) > FEW:
        return text.translate({ord(char): equivalent for char, equivalent in equivalents.items()})
    for char, equivalent in equivalents.items():
        text = text.replace(char, equivalent)
    return text


def _dearer(replaced: str, text: str) -> bool:
    """Whether GSM-7 needs more parts than the text as it came.

    It cannot where the text did not grow: even at two septets a character, a part holds 75 of them,
    not 67.
    """
    return len(replaced) > len(text) and count(replaced).segments > count(text).segments


def _foreign(text: str) -> set[str]:
    """The characters that GSM-7 does not have."""
    return set(_beyond_basic(text)) - EXTENSION


def _beyond_basic(text: str) -> str:
    """What is left of the text without its one-septet characters: usually nothing."""
    try:
        return text.encode("latin-1").translate(None, _BASIC_LATIN).decode("latin-1")
    except UnicodeEncodeError:
        return _BASIC_RUN.sub("", text)


# Parts --------------------------------------------------------------------------------------------


def _gsm_parts(text: str, length: int) -> int:
    if length <= ONE_PART_GSM:
        return 1
    if length == len(text):
        return -(-length // PART_GSM)
    septets = text.translate(_ESCAPED)
    return _walked_parts(length, PART_GSM, lambda place: septets[place] == _ESCAPE)


def _ucs2_parts(text: str, units: bytes) -> int:
    length = len(units) // 2
    if length <= ONE_PART_UCS2:
        return 1
    if length == len(text):
        return -(-length // PART_UCS2)
    return _walked_parts(length, PART_UCS2, lambda place: units[2 * place + 1] & 0xFC == 0xD8)


def _walked_parts(length: int, part: int, opens_pair: Callable[[int], bool]) -> int:
    """Parts when a pair (escape and character, or two surrogates) moves whole to the next part."""
    parts, start = 1, 0
    while length - start > part:
        start += part
        if opens_pair(start - 1):
            start -= 1
        parts += 1
    return parts


# Equivalents --------------------------------------------------------------------------------------

# Where Unicode knows no decomposition, or one that reads wrong.
_EQUIVALENTS = {
    **dict.fromkeys("`´‘’‚‛′‵‹›ʹʻʼʽˈ", "'"),
    **dict.fromkeys("“”„‟″‶«»¨ˮ", '"'),
    **dict.fromkeys("−⁃¯ˉ", "-"),
    **dict.fromkeys("•‣∙●", "*"),
    **dict.fromkeys("\x85\u2028\u2029", "\n"),
    **dict(zip("ÐðĐđŁłıĦħŦŧŊŋĸƒẞ", "DdDdLliHhTtNnkfß", strict=True)),
    **dict(zip("·‧\t\v°µ×÷¢¦∕∗∼˜ˆ¸₤", "..  oux/c|/*~~^,£", strict=True)),
    "±": "+/-",
    "©": "(c)",
    "®": "(R)",
    "Þ": "Th",
    "þ": "th",
    "Œ": "OE",
    "œ": "oe",
    "\ufe0e": "",  # asks for text, not emoji
}
# Kinds of characters that all read the same: spaces, dashes, and what has no shape at all.
_EQUIVALENTS_BY_CATEGORY = {"Zs": " ", "Pd": "-", "Cc": "", "Cf": ""}
# Accents may go; strokes across a sign may not: "not equal" would become "equal", a struck price a
# price.
OVERLAY = 1


@lru_cache(maxsize=4096)
def _equivalent(char: str) -> str | None:
    """What stands for the character in GSM-7, or None."""
    if char in _GSM:
        return char
    category = unicodedata.category(char)
    known = _EQUIVALENTS.get(char, _EQUIVALENTS_BY_CATEGORY.get(category))
    if known is not None:
        return known
    if unicodedata.combining(char) > OVERLAY:
        return ""
    pieces = unicodedata.normalize("NFKD", char)
    # A mark that stands alone decomposes to a space with a mark: that is no equivalent.
    if pieces == char or pieces.startswith(" "):
        return None
    return _joined(pieces)


def _joined(pieces: str) -> str | None:
    text = ""
    for piece in pieces:
        equivalent = _equivalent(piece)
        if equivalent is None:
            return None
        text += equivalent
    return text


def _basic_octet(octet: int) -> int:
    """In Latin-1, the basic character that stands for this one; the same where there is no single
    one.
    """
    equivalent = _equivalent(chr(octet))
    if equivalent is None or len(equivalent) != 1:
        return octet
    return equivalent.encode("latin-1")[0] if equivalent in BASIC else octet


_TO_BASIC_LATIN = bytes(_basic_octet(octet) for octet in range(256))
