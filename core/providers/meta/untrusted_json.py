"""Reading expected fields out of untrusted JSON: what has another form is absent."""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypeVar

from core.foundation.absent import without_none
from core.foundation.json_values import Json, JsonObject, text_of, value_of
from core.foundation.validation.json_field import MAX_DEPTH

MAX_ID_LENGTH = 40
MAX_REFERENCE_LENGTH = 200
_SECONDS = re.compile("[0-9]{1,13}")
_NO_DIGITS = re.compile("[^0-9]+")


Field = TypeVar("Field")


class TooDeep(ValueError):
    """A value is nested beyond MAX_DEPTH."""


def storable(value: Json, depth: int = MAX_DEPTH) -> Json:
    """The value as the database takes it: NUL, which is no text to it, is replaced. Raises TooDeep."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict):
        return storable_object(value, depth)
    if isinstance(value, list):
        if depth == 0:
            raise TooDeep
        return [storable(inner, depth - 1) for inner in value]
    return value


def storable_object(value: JsonObject, depth: int = MAX_DEPTH) -> JsonObject:
    """An object as the database takes it. Raises TooDeep."""
    if depth == 0:
        raise TooDeep
    return {storable_text(name): storable(inner, depth - 1) for name, inner in value.items()}


def storable_text(text: str) -> str:
    """A text as the database takes it."""
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def word_of(value: object, name: str) -> str:
    """A word that the platform writes in capitals; empty when there is none."""
    return (text_of(value, name) or "").upper()


def id_of(value: object, name: str) -> str | None:
    """An id of the platform's, which writes some of them as numbers."""
    inner = value_of(value, name)
    if type(inner) is int and abs(inner) < 10**MAX_ID_LENGTH:
        inner = str(inner)
    return (
        inner
        if isinstance(inner, str) and 0 < len(inner) <= MAX_ID_LENGTH and "\x00" not in inner
        else None
    )


def reference_of(value: object, name: str) -> str | None:
    """The id of a message; a hash in place of one that no column takes."""
    text = text_of(value, name)
    return (
        text
        if text is None or len(text) <= MAX_REFERENCE_LENGTH
        else sha256(text.encode()).hexdigest()
    )


def phone_of(value: object, name: str) -> str | None:
    """A phone in E.164; the platform writes it without the plus, and sometimes for the eye."""
    digits = _NO_DIGITS.sub("", text_of(value, name) or "")
    return f"+{digits}" if 7 <= len(digits) <= 15 else None


def moment_of(value: object, arrived: datetime) -> datetime:
    """A time in seconds or milliseconds of the Unix epoch; the arrival when it is unreadable or in
    the future.
    """
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        value = int(value)
    if type(value) is not int or not 0 < value < 10**13:
        return arrived
    seconds = value / 1000 if value >= 10**11 else value
    return min(datetime.fromtimestamp(seconds, UTC), arrived)


def some(**fields: Field | None) -> dict[str, Field]:
    """The fields that are there."""
    return without_none(fields)
