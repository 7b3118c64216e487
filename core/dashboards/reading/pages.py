"""Pages of connections: how many, from where, and the marks between records."""

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import orjson

from core.dashboards.reading.asked import Arguments
from core.dashboards.reading.entity import Order
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.where import Where

LARGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class Page:
    """The first or the last `size` records between two marks."""

    order: Order
    size: int
    backward: bool
    after: list[str | None] | None
    before: list[str | None] | None

    @property
    def descending(self) -> bool:
        """The direction in which the rows are read."""
        return self.order.descending is not self.backward

    def by(self, alias: str) -> str:
        """What the rows are ordered by."""
        direction = "DESC" if self.descending else "ASC"
        nulls = "FIRST" if self.backward else "LAST"
        return ", ".join(
            f"{key.sql.format(t=alias)} {direction}{f' NULLS {nulls}' if key.nullable else ''}"
            for key in self.order.keys
        )

    def narrow(self, where: Where, alias: str) -> None:
        """Only what lies between the marks."""
        for mark, above in ((self.after, not self.order.descending), (self.before, self.order.descending)):
            if mark is not None:
                self._narrow(where, alias, mark, above=above, behind=mark is self.after)

    def _narrow(self, where: Where, alias: str, mark: list[str | None], *, above: bool, behind: bool) -> None:
        keys = self.order.keys
        sign = ">" if above else "<"
        columns = [key.sql.format(t=alias) for key in keys]
        first = columns[0]
        # Only the first key may be null: its rows stand last, in the order of the other keys.
        marks = [f"{{}}::text::{key.type}" for key in keys]
        if mark[0] is None:
            rest = f"({', '.join(columns[1:])}) {sign} ({', '.join(marks[1:])})"
            condition = f"({first} IS NULL AND {rest})" if behind else f"({first} IS NOT NULL OR {rest})"
            where.narrow(condition, *mark[1:])
            return
        condition = f"({', '.join(columns)}) {sign} ({', '.join(marks)})"
        if keys[0].nullable and behind:
            condition = f"({condition} OR {first} IS NULL)"
        where.narrow(condition, *mark)


def read_page_arguments(arguments: Arguments, order: Order) -> Page:
    """The page that `first`, `last`, `after` and `before` ask for. Raises ValidationFailed."""
    first, last = arguments.get("first"), arguments.get("last")
    wrong = []
    if first is None and last is None:
        wrong.append(FieldError("parameter", "first", "required", f"Ask for first or last, 1 to {LARGEST_PAGE}"))
    elif first is not None and last is not None:
        wrong.append(FieldError("parameter", "last", "not_allowed", "Ask for first or last, not for both"))
    for name, asked in (("first", first), ("last", last)):
        if asked is not None and not 1 <= asked <= LARGEST_PAGE:
            wrong.append(FieldError("parameter", name, "out_of_range", f"Ask for 1 to {LARGEST_PAGE}"))
    marks: dict[str, list[str | None] | None] = {}
    for name in ("after", "before"):
        cursor = arguments.get(name)
        marks[name] = None if cursor is None else read_mark(cursor, order)
        if cursor is not None and marks[name] is None:
            wrong.append(FieldError("parameter", name, "wrong_format", "The cursor is not one that this list gave"))
    if wrong:
        raise ValidationFailed(errors=wrong)
    size = last if first is None else first
    assert size is not None, "one of them was asked for"
    return Page(order, size, last is not None, marks["after"], marks["before"])


def write_mark(order: Order, keys: list[str | None]) -> str:
    """The opaque mark of a record: the name of its order and its keys in it."""
    return base64.urlsafe_b64encode(orjson.dumps([order.name, *keys])).rstrip(b"=").decode()


def read_mark(cursor: str, order: Order) -> list[str | None] | None:
    """The keys of a mark; None when it is not one of this order."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        value: Any = orjson.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, binascii.Error):
        return None
    if not isinstance(value, list) or value[:1] != [order.name] or len(value) != len(order.keys) + 1:
        return None
    keys = value[1:]
    fits = all(
        (key.nullable and mark is None) or (isinstance(mark, str) and _READS[key.type](mark))
        for key, mark in zip(order.keys, keys, strict=True)
    )
    return keys if fits else None


_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?\+00(:00)?")
"""As PostgreSQL writes an instant in UTC, as text or in JSON; it reads less than Python does."""


def _is_time(text: str) -> bool:
    try:
        return _TIME.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,30}(\.[0-9]{1,10})?", text) is not None


def _is_day(text: str) -> bool:
    try:
        return len(text) == len("2026-11-21") and date.fromisoformat(text) is not None
    except ValueError:
        return False


# A mark that was tampered with must not reach PostgreSQL, whose refusal would be ours to answer for.
_READS = {
    "timestamptz": _is_time,
    "text": lambda text: "\x00" not in text,
    "numeric": _is_number,
    "date": _is_day,
}
