"""Pages of lists: limits with a ceiling, and opaque keyset cursors."""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import md5

import orjson

from core.foundation.errors import FieldError, ValidationFailed

DEFAULT_LIMIT = 50
CEILING = 200
MAX_SKIP = 2**53 - 1

MAX_CURSOR_LENGTH = 300
"""Characters of a cursor. No list gives a longer one, so a longer one is nobody's."""
LONG_TEXT = 100
"""Bytes of a text, as JSON, up to which it stands in a cursor whole."""
BEGINNING = 20
"""Characters of a longer one that stand there."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


NOT_OF_THIS_LIST = (
    "The cursor is not one that this list gave; leave it out to begin with the first page"
)


class UnreadableCursor(ValueError):
    """The cursor is not one of ours."""


def cut(limit: int | None, *, default: int = DEFAULT_LIMIT, ceiling: int = CEILING) -> int:
    """The page size: the default when none was asked, the ceiling when more was asked."""
    return default if limit is None else min(limit, ceiling)


def cursor_of(values: Sequence[object]) -> str:
    """The opaque cursor that holds these values, which JSON can hold."""
    return base64.urlsafe_b64encode(orjson.dumps(list(values))).rstrip(b"=").decode()


def values_of(cursor: str) -> list[object]:
    """The values of a cursor, still to be looked at: it may have been tampered with. Raises
    UnreadableCursor.
    """
    try:
        if len(cursor) > MAX_CURSOR_LENGTH:
            raise ValueError
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        values = orjson.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, binascii.Error) as error:
        raise UnreadableCursor(NOT_OF_THIS_LIST) from error
    if not isinstance(values, list):
        raise UnreadableCursor(NOT_OF_THIS_LIST)
    return values


def text_in_cursor(text: str) -> str | list[str]:
    """The text itself, or of a long one its beginning and a digest that tells it from others that
    begin so.
    """
    if len(orjson.dumps(text)) <= LONG_TEXT:
        return text
    return [text[:BEGINNING], md5(text.encode(), usedforsecurity=False).hexdigest()]


def read_text(value: object) -> tuple[str, str] | None:
    """The text, or the beginning, that stands in a cursor, and the digest or nothing; None for
    anything else.
    """
    text, digest = value if isinstance(value, list) and len(value) == 2 else (value, "")
    if not isinstance(text, str) or not isinstance(digest, str) or "\x00" in text + digest:
        return None
    return text, digest


def text_in_full(sql: str, table: str) -> str:
    """SQL for what `text_in_cursor` holds, with `{0}` for the text, `{1}` for the digest and `{2}`
    for the row's id.

    A row that has gone or changed since is read on from at the beginning of its text: rows may come
    twice, none is left out. The statement's first values are the organization and the environment.
    """
    whole = sql.format(t="marked")
    return (
        f"COALESCE((SELECT {whole} FROM {table} marked WHERE {{1}}::text <> '' AND marked.organization_id = $1"
        f" AND marked.env = $2 AND marked.id = {{2}} AND md5({whole}) = {{1}}::text), {{0}}::text)"
    )


def cursor_after(at: datetime, id: str) -> str:
    """The opaque mark behind a row of a list ordered by (time, id)."""
    micros = (at - EPOCH) // MICROSECOND  # in whole numbers: a float loses the last digits
    return cursor_of([micros, id])


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """The (time, id) of a cursor. Raises UnreadableCursor."""
    try:
        micros, id = values_of(cursor)
        if type(micros) is not int or not isinstance(id, str) or "\x00" in id:
            raise UnreadableCursor
        at = EPOCH + micros * MICROSECOND
    except (ValueError, OverflowError) as error:
        raise UnreadableCursor(NOT_OF_THIS_LIST) from error
    return at, id


def place_behind(cursor: str) -> tuple[datetime, str]:
    """The same for an operation that refuses a cursor it did not give. Raises ValidationFailed."""
    try:
        return read_cursor(cursor)
    except UnreadableCursor as unreadable:
        raise ValidationFailed(
            errors=[FieldError("parameter", "cursor", "wrong_format", str(unreadable))]
        ) from None
