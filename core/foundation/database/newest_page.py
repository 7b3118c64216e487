"""A keyset page of a list, newest records first: what most lists answer."""

from collections.abc import Callable, Sequence
from typing import cast

from core.foundation.database import db
from core.foundation.database.pages import (
    Item,
    RowPage,
    UnreadableCursor,
    cut,
    page_of,
    place_behind,
    read_cursor,
)
from core.foundation.database.rows import SomeRow
from core.foundation.database.where import Where
from core.foundation.validation.inputs import SkipPage


async def newest_page(
    table: str,
    where: Where,
    asked: SkipPage,
    record: Callable[[SomeRow], Item],
    *,
    select: str | None = None,
    total: tuple[str, Sequence[object]] | None = None,
    warns: bool = False,
) -> RowPage[Item]:
    """`{items, total, nextCursor?, warnings?}` of the rows that `where` leaves; `total` counts
    those of all pages.

    `select` is for a list that shows more than the columns of its table; `total` is the SQL, with
    its values, of a quicker count than counting. A cursor that cannot be read raises
    ValidationFailed; where the list `warns` it gives an empty page of `total` 0, never the first
    one: that would loop a synchronisation.
    """
    place = None
    if asked.cursor is not None:
        try:
            place = read_cursor(asked.cursor) if warns else place_behind(asked.cursor)
        except UnreadableCursor:
            return {"items": [], "total": 0, "warnings": ["cursor_invalido"]}
    count, values = total or (f"SELECT count(*) FROM {table} WHERE {where}", where.values)
    found = await db.fetchval(count, *values)
    if place is not None:
        where.narrow("(created_at, id) < ({}, {})", *place)
    limit = cut(asked.limit)
    rows = await db.fetch(
        f"{select or f'SELECT * FROM {table}'} WHERE {where} ORDER BY created_at DESC, id DESC "
        f"LIMIT {limit + 1} OFFSET {asked.skip}",
        *where.values,
    )
    return page_of(cast("list[SomeRow]", rows), limit, record, total=found)
