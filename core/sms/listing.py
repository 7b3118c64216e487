"""Pages of the messages table for SMS and its replies: newest first, by skip or by cursor, with the exact total."""

from collections.abc import Sequence
from typing import Any, Protocol

from core.foundation import db, pages
from core.foundation.caller import Caller
from core.foundation.inputs import SkipPage


class Shape(Protocol):
    """Makes the record of a row."""

    def __call__(self, row: db.Row, *, unmasked: bool) -> dict[str, Any]: ...


async def page_of(
    caller: Caller,
    direction: str,
    conditions: Sequence[tuple[str, Any]],
    page: SkipPage,
    shape: Shape,
) -> dict[str, Any]:
    """`{items, total, nextCursor?}` of the caller's messages that meet the conditions whose value is not None."""
    where = ["organization_id = $1 AND env = $2 AND channel = 'sms' AND direction = $3"]
    values: list[Any] = [caller.organization_id, caller.env, direction]
    for condition, value in conditions:
        if value is not None:
            values.append(value)
            where.append(condition.format(len(values)))
    matching = " AND ".join(where)
    total = await db.fetchval(f"SELECT count(*) FROM messages WHERE {matching}", *values)
    place = ""
    if page.cursor is not None:
        values += pages.place_behind(page.cursor)
        place = f" AND (created_at, id) < (${len(values) - 1}, ${len(values)})"
    limit = pages.cut(page.limit)
    rows = await db.fetch(
        f"SELECT * FROM messages WHERE {matching}{place} "
        f"ORDER BY created_at DESC, id DESC LIMIT {limit + 1} OFFSET ${len(values) + 1}",
        *values,
        page.skip,
    )
    return pages.page_of(rows, limit, lambda row: shape(row, unmasked=caller.sees_personal_data), total=total)
