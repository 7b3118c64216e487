"""Keyset pagination of connections: page size, direction, and the cursors between records."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core.foundation.database.pages import (
    NOT_OF_THIS_LIST,
    cursor_of,
    read_text,
    text_in_cursor,
    text_in_full,
    values_of,
)
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ValidationFailed
from core.read_models.query_compiler.entity import Order, OrderKey
from core.read_models.query_compiler.selection import Arguments

MAX_PAGE_SIZE = 100

Mark = list[object]
"""The keys of a place: each a text or null; of a text that is too long for a cursor its beginning
and a digest.
"""


@dataclass(frozen=True, slots=True)
class PageSlice:
    """The first or the last `size` records between two marks."""

    order: Order
    size: int
    backward: bool
    after: Mark | None
    before: Mark | None

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

    def narrow(self, where: Where, alias: str) -> Sequence[tuple[str, str]]:
        """Only what lies between the marks. Answers the parts that the rows are read in: a
        condition and an order each.

        None where one order has them all. Those that have no first key stand last, and are read
        apart: no index has both in an order that runs either way.
        """
        marks = [
            (mark, above, mark is self.after)
            for mark, above in (
                (self.after, not self.order.descending),
                (self.before, self.order.descending),
            )
            if mark is not None
        ]
        if self.order.keys[0].nullable:
            return self._parts(where, alias, marks)
        for mark, above, _ in marks:
            where.narrow(*self._beyond(alias, mark, above=above))
        return ()

    def _parts(
        self, where: Where, alias: str, marks: Sequence[tuple[Mark, bool, bool]]
    ) -> Sequence[tuple[str, str]]:
        """The rows that have a first key, and those that have none, in the order of the other keys."""
        columns = [key.sql.format(t=alias) for key in self.order.keys]
        having = Where(where.values, [f"{columns[0]} IS NOT NULL"])
        lacking = Where(where.values, [f"{columns[0]} IS NULL"])
        for mark, above, behind in marks:
            lacks = mark[0] is None
            here, there = (lacking, having) if lacks else (having, lacking)
            here.narrow(*self._beyond(alias, mark[lacks:], above=above, first=int(lacks)))
            if behind is lacks:
                there.conditions.append("false")
        direction = "DESC" if self.descending else "ASC"
        return [
            (str(part), ", ".join(f"{column} {direction}" for column in by))
            for part, by in ((having, columns), (lacking, columns[1:]))
        ]

    def _beyond(
        self, alias: str, mark: Mark, *, above: bool, first: int = 0
    ) -> tuple[str, *tuple[object, ...]]:
        """What lies on one side of a mark, by the keys from the `first` on: a condition and its
        values.
        """
        keys = self.order.keys[first:]
        sign = ">" if above else "<"
        columns = ", ".join(key.sql.format(t=alias) for key in keys)
        if keys[0].table is not None and isinstance(mark[0], list):
            whole = text_in_full(keys[0].sql, keys[0].table)
            return f"({columns}) {sign} ({whole}, {{2}}::text)", *mark[0], mark[-1]
        return f"({columns}) {sign} ({', '.join(f'{{}}::text::{key.type}' for key in keys)})", *mark


def read_page_arguments(arguments: Arguments, order: Order) -> PageSlice:
    """The page that `first`, `last`, `after` and `before` ask for. Raises ValidationFailed."""
    first, last = arguments.get("first"), arguments.get("last")
    wrong = []
    if first is None and last is None:
        wrong.append(
            FieldError(
                "parameter", "first", "required", f"Ask for first or last, 1 to {MAX_PAGE_SIZE}"
            )
        )
    elif first is not None and last is not None:
        wrong.append(
            FieldError("parameter", "last", "not_allowed", "Ask for first or last, not for both")
        )
    for name, selection in (("first", first), ("last", last)):
        if selection is not None and not 1 <= selection <= MAX_PAGE_SIZE:
            wrong.append(
                FieldError("parameter", name, "out_of_range", f"Ask for 1 to {MAX_PAGE_SIZE}")
            )
    marks: dict[str, Mark | None] = {}
    for name in ("after", "before"):
        cursor = arguments.get(name)
        marks[name] = None if cursor is None else read_mark(cursor, order)
        if cursor is not None and marks[name] is None:
            wrong.append(FieldError("parameter", name, "wrong_format", NOT_OF_THIS_LIST))
    if wrong:
        raise ValidationFailed(errors=wrong)
    size = last if first is None else first
    assert size is not None, "one of them was asked for"
    return PageSlice(order, size, last is not None, marks["after"], marks["before"])


def write_mark(order: Order, keys: Sequence[object]) -> str:
    """The opaque mark of a record: the name of its order and its keys in it."""
    shown = [
        text_in_cursor(mark) if key.table is not None and isinstance(mark, str) else mark
        for key, mark in zip(order.keys, keys, strict=True)
    ]
    return cursor_of([order.name, *shown])


def read_mark(cursor: str, order: Order) -> Mark | None:
    """The keys of a mark; None when it is not one of this order."""
    try:
        name, *keys = values_of(cursor)
    except ValueError:  # unreadable, or empty
        return None
    if name != order.name or len(keys) != len(order.keys):
        return None
    return (
        keys if all(_fits(key, mark) for key, mark in zip(order.keys, keys, strict=True)) else None
    )


def _fits(key: OrderKey, mark: object) -> bool:
    if mark is None:
        return key.nullable
    if isinstance(mark, list):
        return key.table is not None and read_text(mark) is not None
    return isinstance(mark, str) and _READS[key.type](mark)


_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?\+00(:00)?"
)
"""As PostgreSQL writes an instant in UTC, as text or in JSON; it reads less than Python does."""


def _is_time(text: str) -> bool:
    try:
        return _TIME.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,30}(\.[0-9]{1,10})?", text) is not None


def _is_bigint(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII) is not None


def _is_day(text: str) -> bool:
    """`fromisoformat` also takes weeks, which PostgreSQL does not."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_uuid(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text, re.ASCII) is not None


# A mark that was tampered with must not reach PostgreSQL, whose refusal would be ours to answer
# for.
_READS = {
    "timestamptz": _is_time,
    "text": lambda text: "\x00" not in text,
    "numeric": _is_number,
    "bigint": _is_bigint,
    "date": _is_day,
    "uuid": _is_uuid,
}
