"""Pages of lists: limits with a ceiling, and opaque keyset cursors."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from core.foundation.errors import FieldError, ValidationFailed

DEFAULT_LIMIT = 50
CEILING = 200
LARGEST_SKIP = 2**53 - 1

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class UnreadableCursor(ValueError):
    """The cursor is not one of ours."""


def cut(limit: int | None, *, default: int = DEFAULT_LIMIT, ceiling: int = CEILING) -> int:
    """The page size: the default when none was asked, the ceiling when more was asked."""
    return default if limit is None else min(limit, ceiling)


def cursor_after(at: datetime, id: str) -> str:
    """The opaque mark behind a row of a list ordered by (time, id)."""
    micros = (at - EPOCH) // MICROSECOND  # in whole numbers: a float loses the last digits
    return base64.urlsafe_b64encode(orjson.dumps([micros, id])).rstrip(b"=").decode()


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """The (time, id) of a cursor. Raises UnreadableCursor."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        value: Any = orjson.loads(base64.urlsafe_b64decode(padded))
        micros, id = value
        if type(micros) is not int or not isinstance(id, str) or "\x00" in id:
            raise UnreadableCursor
        at = EPOCH + micros * MICROSECOND
    except (ValueError, TypeError, OverflowError, binascii.Error) as error:
        raise UnreadableCursor("The cursor is not one that this list gave") from error
    return at, id


def place_behind(cursor: str) -> tuple[datetime, str]:
    """The same for an operation that refuses a cursor it did not give. Raises ValidationFailed."""
    try:
        return read_cursor(cursor)
    except UnreadableCursor as unreadable:
        raise ValidationFailed(errors=[FieldError("parameter", "cursor", "wrong_format", str(unreadable))]) from None


def page_of(
    rows: Sequence[Any],
    limit: int,
    record: Callable[[Any], dict[str, Any]],
    *,
    by: str = "created_at",
    total: int | None = None,
) -> dict[str, Any]:
    """`{items, total?, nextCursor?}` of rows in the order of (`by`, id), which were read up to one beyond `limit`."""
    page: dict[str, Any] = {"items": [record(row) for row in rows[:limit]]}
    if total is not None:
        page["total"] = total
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1][by], rows[limit - 1]["id"])
    return page
