"""Pages of lists: limits with a ceiling, and opaque keyset cursors."""

import base64
import binascii
from datetime import UTC, datetime
from typing import Any

import orjson

DEFAULT_LIMIT = 50
CEILING = 200
LARGEST_SKIP = 2**53 - 1


class UnreadableCursor(ValueError):
    """The cursor is not one of ours."""


def cut(limit: int | None, *, default: int = DEFAULT_LIMIT, ceiling: int = CEILING) -> int:
    """The page size: the default when none was asked, the ceiling when more was asked."""
    return default if limit is None else min(limit, ceiling)


def cursor_after(at: datetime, id: str) -> str:
    """The opaque mark behind a row of a list ordered by (time, id)."""
    micros = int(at.timestamp()) * 1_000_000 + at.microsecond
    return base64.urlsafe_b64encode(orjson.dumps([micros, id])).rstrip(b"=").decode()


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """The (time, id) of a cursor. Raises UnreadableCursor."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        value: Any = orjson.loads(base64.urlsafe_b64decode(padded))
        micros, id = value
        at = datetime.fromtimestamp(micros // 1_000_000, UTC).replace(microsecond=micros % 1_000_000)
        if not isinstance(id, str) or "\x00" in id:
            raise UnreadableCursor
    except (ValueError, TypeError, OverflowError, OSError, binascii.Error) as error:
        raise UnreadableCursor("The cursor is not one that this list gave") from error
    return at, id
