"""Phone numbers: reading what people write, Brazil's ninth digit, and masks.

Everything past `parse_phone` works on E.164 text (`+5511987654321`).
"""

import re
from typing import Literal

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberFormat

Region = Literal["BR", "INTL"]

MAX_PHONE_LENGTH = 16
"""A plus and the 15 digits that E.164 allows; some of the library's valid numbers are longer."""

HIDDEN_AT_LEAST = 4
"""Digits of a number that no mask shows."""


class NotAPhone(ValueError):
    """The text is no valid phone number."""

    def __init__(self) -> None:
        super().__init__("Write a valid phone number, best in E.164 with its country code")


class MaskedValue(ValueError):
    """Someone wrote a masked value back (422 VALOR_MASCARADO)."""

    def __init__(self) -> None:
        super().__init__("This is a masked value; send the full one")


def _area_codes() -> frozenset[str]:
    """Brazil's area codes, as the numbering plan inside the library knows them."""
    brazil = PhoneMetadata.metadata_for_region("BR")
    pattern = brazil and brazil.mobile and brazil.mobile.national_number_pattern
    if not pattern:
        raise LookupError("The library knows no mobile numbers of Brazil")
    mobile = re.compile(pattern)
    return frozenset(f"{code}" for code in range(10, 100) if mobile.fullmatch(f"{code}900000000"))


def _area_pattern() -> str:
    """The area codes by tens, `1[123456789]|2[12478]|…`: far fewer branches to try than one for
    each.
    """
    tens = sorted({code[0] for code in AREA_CODES})
    return "|".join(
        f"{ten}[{''.join(sorted(c[1] for c in AREA_CODES if c[0] == ten))}]" for ten in tens
    )


AREA_CODES = _area_codes()
_AREA = f"(?:{_area_pattern()})"
_MOBILE = re.compile(rf"\+55{_AREA}9[0-9]{{8}}")
_MOBILE_AS_WRITTEN = re.compile(rf"(?:\+?55)?({_AREA}9[0-9]{{8}})")
# Landlines begin with 2 to 5. A mobile got its 9 in front of eight digits that begin with 6 to 9;
# in front of others (94321-1234) the 9 was always there, and without it the number would be
# somebody's landline.
_MOBILE_WITHOUT_NINTH = re.compile(rf"\+55{_AREA}[6-9][0-9]{{7}}")
_MOBILE_THAT_GAINED_NINTH = re.compile(rf"\+55{_AREA}9[6-9][0-9]{{7}}")

# What people and address books put between digits, the invisible marks of copied text included.
_DECORATION = dict.fromkeys(
    [
        *map(ord, " \t\n\r()-./\u00a0\u00ad\u2060\u2212\u3000\ufeff\uff0d"),
        *range(0x2000, 0x2016),  # spaces, zero widths, direction marks, dashes
        *range(0x202A, 0x2030),  # directions, narrow space
        *range(0x2066, 0x206A),  # directions
    ]
)
_DIALLED = re.compile(r"\+?[0-9]{3,20}")
_MAX_TEXT_LENGTH = 64

_COUNTRY_CODES = frozenset(map(str, phonenumbers.COUNTRY_CODE_TO_REGION_CODE))


def parse_phone(text: str) -> str:
    """The number in E.164; without a country code it is Brazilian. Raises NotAPhone or MaskedValue.

    A Brazilian mobile written without its ninth digit is accepted as written: channels still answer
    with that form, and `canonical_br` tells that it is the same phone.
    """
    if _MOBILE.fullmatch(text):
        return text
    if "*" in text:
        raise MaskedValue
    if len(text) > _MAX_TEXT_LENGTH:
        raise NotAPhone
    dialled = text.translate(_DECORATION)
    if mobile := _MOBILE_AS_WRITTEN.fullmatch(dialled):
        return f"+55{mobile[1]}"
    # The library alone would find numbers in prose, drop extensions and read letters as keys.
    if not _DIALLED.fullmatch(dialled):
        raise NotAPhone
    return _parsed_by_library(dialled)


def _parsed_by_library(dialled: str) -> str:
    try:
        number = phonenumbers.parse(dialled, "BR")
    except phonenumbers.NumberParseException:
        raise NotAPhone from None
    e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    if len(e164) > MAX_PHONE_LENGTH:
        raise NotAPhone
    # The library calls most mobiles without their ninth digit invalid.
    if phonenumbers.is_valid_number(number) or _MOBILE_WITHOUT_NINTH.fullmatch(e164):
        return e164
    raise NotAPhone


def region_of(e164: str) -> Region:
    """Brazil or anywhere else (interface, GET /v2/sms/messages, parameter `region`)."""
    return "BR" if e164.startswith("+55") else "INTL"


def is_landline(e164: str) -> bool:
    """Whether the number is of a fixed line for certain; where a country does not tell them apart,
    it is not.
    """
    if _MOBILE.fullmatch(e164):
        return False
    number = phonenumbers.parse(e164, None)
    return phonenumbers.number_type(number) == phonenumbers.PhoneNumberType.FIXED_LINE


def mask_phone(e164: str) -> str:
    """Country, area and last four: `+5511*****4321`. Never raises, and masking twice changes
    nothing.

    Area codes differ in length: at most two digits are shown, and in short numbers none, then fewer
    than four at the end, so that at least four digits always stay hidden.
    """
    if len(e164) == 14 and e164.startswith("+55"):  # what nearly every row of a list holds
        return f"{e164[:5]}*****{e164[10:]}"
    country = _country_width(e164)
    spare = max(0, len(e164) - country - HIDDEN_AT_LEAST)
    tail = len(e164) - min(4, spare)
    head = country + min(2, max(0, spare - 4))
    return f"{e164[:head]}{'*' * (tail - head)}{e164[tail:]}"


def _country_width(e164: str) -> int:
    """Characters of the country code with its plus; 0 when the text does not begin with one."""
    if e164.startswith("+55"):
        return 3
    if e164.startswith("+"):
        for width in (2, 3, 4):
            if e164[1:width] in _COUNTRY_CODES:
                return width
    return 0


def canonical_br(e164: str) -> str:
    """The one form of a Brazilian mobile, with its ninth digit; every other number as it is.

    Eight digits that begin with 7 count as a mobile: the trunked radios that kept them are gone.
    """
    if len(e164) == 13 and _MOBILE_WITHOUT_NINTH.fullmatch(e164):
        return f"{e164[:5]}9{e164[5:]}"
    return e164


def ninth_digit_variants(e164: str) -> tuple[str, ...]:
    """Every form of the same phone, the canonical one first: two where the ninth digit applies,
    else one.
    """
    canonical = canonical_br(e164)
    if _MOBILE_THAT_GAINED_NINTH.fullmatch(canonical):
        return canonical, f"{canonical[:5]}{canonical[6:]}"
    return (canonical,)
