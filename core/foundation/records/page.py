"""A page of records that PostgreSQL writes as JSON in one round trip: rows, total and cursor."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Generic, NotRequired, Protocol, TypedDict, TypeVar

import asyncpg
import orjson

from core.foundation.database import db
from core.foundation.database.pages import (
    CEILING,
    UnreadableCursor,
    cursor_after,
    cut,
    place_behind,
    read_cursor,
)
from core.foundation.database.where import Where
from core.foundation.records.markers import Doc, PassedOver
from core.foundation.records.record import Record, SomeRecord
from core.foundation.security.caller import Caller
from core.foundation.turns import in_turns
from core.foundation.validation.inputs import SkipPage

USUAL_LIMITS = frozenset({10, 20, 25, 50, 100, CEILING})
"""Of pages whose plans are worth keeping: each limit is a statement of its own."""

Fetch = Callable[..., Awaitable[asyncpg.Record]]
Item = TypeVar("Item")
Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)


class UncountedPage(TypedDict, Generic[Item]):
    """What a list answers that counts nothing."""

    items: Annotated[list[Item], Doc("The records of this page, in the order of the list")]
    nextCursor: NotRequired[
        Annotated[
            str,
            Doc("Where the next page begins: send it back as `cursor`. Absent on the last page"),
        ]
    ]
    warnings: NotRequired[PassedOver]


class Page(UncountedPage[Item], Generic[Item]):
    """What a list answers."""

    total: Annotated[int, Doc("How many there are on all pages together")]


@dataclass(slots=True, eq=False)
class WrittenPage(Mapping[str, Any], Generic[Answer_co]):
    """A page whose items are JSON already. Whoever looks inside reads it; REST hands it on as it is.

    Its `total` is None where the list counts nothing. `tells_end`: the last page has a null for its
    cursor, where that of other lists has none. `more`: what else the answer has, by name.
    """

    items_json: Sequence[bytes]
    total: int | None
    next_cursor: str | None = None
    warnings: Sequence[str] = ()
    tells_end: bool = False
    more: dict[str, object] = field(default_factory=dict)

    def encode(self, more_warnings: Sequence[str] = ()) -> bytes:
        """The answer, with these warnings before its own."""
        parts = [b'{"items":[', b",".join(self.items_json), b"]"]
        if self.total is not None:
            parts.append(b',"total":%d' % self.total)
        if self.next_cursor is not None:
            parts.append(b',"nextCursor":"%s"' % self.next_cursor.encode())
        elif self.tells_end:
            parts.append(b',"nextCursor":null')
        parts += [
            b',"%s":%s' % (name.encode(), orjson.dumps(one)) for name, one in self.more.items()
        ]
        if warnings := [*more_warnings, *self.warnings]:
            parts.append(b',"warnings":' + orjson.dumps(warnings))
        return b"".join((*parts, b"}"))

    def __getitem__(self, name: str) -> Any:
        return orjson.loads(self.encode())[name]

    def __iter__(self) -> Iterator[str]:
        return iter(orjson.loads(self.encode()))

    def __len__(self) -> int:
        return len(orjson.loads(self.encode()))


@dataclass(frozen=True, slots=True)
class RowsRead:
    """The rows of one page as JSON, joined where Python makes nothing of them. `last` is the place of the
    last one where more rows follow.
    """

    items: list[bytes]
    total: int
    last: Any

    @property
    def next_cursor(self) -> str | None:
        """Leads on behind the last one."""
        return None if self.last is None else cursor_after(*self.last)


async def read_rows(
    caller: Caller,
    record: Record[SomeRecord],
    rows: str,
    values: Sequence[object],
    *,
    order: str,
    place: Sequence[str],
    total: str = "0",
    limit: int,
    keeps_plan: bool = False,
) -> RowsRead:
    """The rows of a statement that has them in this order, up to `limit` and one more.

    `place`: the columns of the order. `total`: an expression, over the same values; 0 where nothing
    is counted. `keeps_plan`: nothing is asked but a page (`is_plain`), so that one plan is right for
    whatever the values are.
    """
    json = record.json_for(caller)
    fetch = fetch_of(caller, limit, keeps_plan=keeps_plan)
    if json.beside is None and limit <= CEILING:
        return await _read_written(
            fetch, json.text, rows, values, order=order, place=place, total=total, limit=limit
        )
    beside = "NULL::text[]"
    if json.beside is not None:
        beside = f"array_agg({json.beside} ORDER BY {order})"
    last = ", ".join(f"(array_agg({one} ORDER BY {order}))[{limit}]" for one in place)
    row = await fetch(
        f"WITH page AS MATERIALIZED ({rows}) SELECT ({total})::bigint AS total, "
        f"array_agg({json.text} ORDER BY {order}) AS texts, {beside} AS beside, {last} FROM page",
        *values,
    )
    found, texts = row["beside"], row["texts"] or []
    more = len(texts) > limit
    made = json.finish(texts[:limit], None if found is None else found[:limit])
    items = list(made) if limit <= CEILING else [one async for one in in_turns(made)]
    return RowsRead(items, row["total"], tuple(row)[3:] if more else None)


def fetch_of(caller: Caller, limit: int, *, keeps_plan: bool) -> Fetch:
    """What reads the one row of a page: where one plan is right for any (see `read_rows`), it is
    kept.
    """
    if keeps_plan and limit in USUAL_LIMITS:
        return partial(db.fetch_one_planned, owner=caller.organization_id)
    return db.fetch_one


async def _read_written(
    fetch: Fetch,
    text: str,
    rows: str,
    values: Sequence[object],
    *,
    order: str,
    place: Sequence[str],
    total: str,
    limit: int,
) -> RowsRead:
    """Rows of which Python makes nothing: all of a page is one piece of bytes."""
    last = ", ".join(f"(array_agg({one} ORDER BY {order}))[{limit}]" for one in place)
    row = await fetch(
        f"WITH page AS MATERIALIZED ({rows}) SELECT ({total})::bigint AS total, count(*) > {limit} AS more, "
        f"convert_to(array_to_string((array_agg({text} ORDER BY {order}))[:{limit}], '}},'), 'UTF8') AS written, "
        f"{last} FROM page",
        *values,
    )
    items = [] if row["written"] is None else [row["written"] + b"}"]
    return RowsRead(items, row["total"], tuple(row)[3:] if row["more"] else None)


async def newest_records(
    caller: Caller,
    record: Record[SomeRecord],
    table: str,
    where: Where,
    asked: SkipPage,
    *,
    select: str | None = None,
    total: str | None = None,
    warns: bool = False,
    at: datetime | None = None,
) -> WrittenPage[Answer]:
    """The page of a list, newest first, of the rows that `where` leaves; `total` counts those of
    all pages.

    `select` is for a list that shows more than the columns of its table; `total` is a quicker count
    than counting, over the values of `where`. `at`: the time of now, for records that stand otherwise
    later; their SQL has it as `asked_at`. A cursor that cannot be read raises ValidationFailed;
    where the list `warns` it gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    count = total or f"SELECT count(*) FROM {table} WHERE {where}"
    if asked.cursor is not None:
        try:
            place = read_cursor(asked.cursor) if warns else place_behind(asked.cursor)
        except UnreadableCursor:
            return WrittenPage([], 0, warnings=["cursor_invalido"])
        where.narrow("(created_at, id) < ({}, {})", *place)
    limit = cut(asked.limit)
    now = "" if at is None else f", {where.value(at)}::timestamptz AS asked_at"
    values = [*where.values]
    rows = (
        f"{select or f'SELECT *{now} FROM {table}'} WHERE {where} ORDER BY created_at DESC, id DESC "
        f"LIMIT {limit + 1}{skipping(asked.skip, values)}"
    )
    read = await read_rows(
        caller,
        record,
        rows,
        values,
        order="created_at DESC, id DESC",
        place=("created_at", "id"),
        total=count,
        limit=limit,
        keeps_plan=asked.is_plain,
    )
    return WrittenPage(read.items, read.total, read.next_cursor)


def skipping(skip: int, values: list[object]) -> str:
    """The end of a statement that leaves out so many rows, whose number goes behind the values;
    nothing where none are.
    """
    if not skip:
        return ""
    values.append(skip)
    return f" OFFSET ${len(values)}"


class AskedPage(Protocol):
    """What a query says of the page that it wants."""

    @property
    def is_plain(self) -> bool:
        """Whether nothing but a page is asked for."""

    @property
    def limit(self) -> int | None:
        """How many records at most."""

    @property
    def cursor(self) -> str | None:
        """Behind which record."""


async def newest_uncounted(
    caller: Caller,
    record: Record[SomeRecord],
    table: str,
    where: Where,
    asked: AskedPage,
    *,
    by: str = "created_at",
    select: str | None = None,
    alias: str | None = None,
    warns: bool = False,
) -> WrittenPage[Answer]:
    """The page of a list that counts nothing, newest first, of the rows that `where` leaves.

    `select` is for a list that shows more than the columns of its table, which is called `alias`
    there. A cursor that is not the list's raises ValidationFailed; where the list `warns` it gives
    an empty page, never the first one: that would loop a synchronisation.
    """
    of = f"{alias}." if alias else ""
    if asked.cursor is not None:
        try:
            place = read_cursor(asked.cursor) if warns else place_behind(asked.cursor)
        except UnreadableCursor:
            return WrittenPage([], None, warnings=["cursor_invalido"])
        where.narrow(f"({of}{by}, {of}id) < ({{}}, {{}})", *place)
    limit = cut(asked.limit)
    read = await read_rows(
        caller,
        record,
        f"{select or f'SELECT * FROM {table}'} WHERE {where} "
        f"ORDER BY {of}{by} DESC, {of}id DESC LIMIT {limit + 1}",
        where.values,
        order=f"{by} DESC, id DESC",
        place=(by, "id"),
        limit=limit,
        keeps_plan=asked.is_plain,
    )
    return WrittenPage(read.items, None, read.next_cursor)
