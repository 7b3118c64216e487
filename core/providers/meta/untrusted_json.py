"""Reading expected fields out of untrusted JSON: what has another form is absent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from core.foundation.validation.json_field import MAX_DEPTH

MAX_ID_LENGTH = 40
MAX_REFERENCE_LENGTH = 200


class TooDeep(ValueError):
    """A value is nested beyond MAX_DEPTH."""


def storable(value: Any, depth: int = MAX_DEPTH) -> Any:
    """The value as the database takes it: NUL, which is no text to it, is replaced. Raises TooDeep."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd") if "\x00" in value else value
    if isinstance(value, dict | list) and depth == 0:
        raise TooDeep
    if isinstance(value, dict):
        return {storable(name): storable(inner, depth - 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [storable(inner, depth - 1) for inner in value]
    return value


def object_of(value: Any, name: str) -> dict[str, Any]:
    """The object of this name; empty when there is none."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, dict) else {}


def objects_of(value: Any, name: str) -> list[dict[str, Any]]:
    """The objects in the list of this name."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else []


def text_of(value: Any, name: str) -> str | None:
    """The text of this name, unless it is empty."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, str) and inner else None


def word_of(value: Any, name: str) -> str:
    """A word that the platform writes in capitals; empty when there is none."""
    return (text_of(value, name) or "").upper()


def id_of(value: Any, name: str) -> str | None:
    """An id of the platform's, which writes some of them as numbers."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(inner, int) and not isinstance(inner, bool) and abs(inner) < 10**MAX_ID_LENGTH:
        inner = str(inner)
    return (
        inner
        if isinstance(inner, str) and 0 < len(inner) <= MAX_ID_LENGTH and "\x00" not in inner
        else None
    )


def reference_of(value: Any, name: str) -> str | None:
    """The id of a message; a hash in place of one that no column takes."""
    text = text_of(value, name)
    return (
        text
        if text is None or len(text) <= MAX_REFERENCE_LENGTH
        else sha256(text.encode()).hexdigest()
    )


def phone_of(value: Any, name: str) -> str | None:
    """A phone in E.164; the platform writes it without the plus, and sometimes for the eye."""
    digits = "".join(
        character for character in text_of(value, name) or "" if character in "0123456789"
    )
    return f"+{digits}" if 7 <= len(digits) <= 15 else None


def moment_of(value: Any, arrived: datetime) -> datetime:
    """A time in seconds or milliseconds of the Unix epoch; the arrival when it is unreadable or in
    the future.
    """
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 13:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 10**13:
        return arrived
    seconds = value / 1000 if value >= 10**11 else value
    return min(datetime.fromtimestamp(seconds, UTC), arrived)


def some(**fields: Any) -> dict[str, Any]:
    """The fields that are there."""
    return {name: value for name, value in fields.items() if value is not None}
