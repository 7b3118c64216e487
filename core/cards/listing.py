"""Pages of cards, by any of their filters and in any of their orders."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from core.cards.conditions import narrow_cards
from core.cards.cursors import Mark, read_mark, write_mark
from core.cards.inputs import CardFilter
from core.cards.record import CARD, CardPage, columns_at
from core.foundation.clock import now
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope


class By(NamedTuple):
    """What a list is ordered by: the SQL of it, its column, and how a cursor's text becomes its
    value.
    """

    sql: str
    column: str
    read: Callable[[str], Any]


ORDERS = {
    "ordem": By('c.rank COLLATE "C"', "rank", str),
    "valor": By("c.value", "value", Decimal),
    "dataPrevista": By("c.expected_on", "expected_on", date.fromisoformat),
    "updatedAt": By("c.updated_at", "updated_at", datetime.fromisoformat),
    "createdAt": By("c.created_at", "created_at", datetime.fromisoformat),
}
NULLABLE = ("valor", "dataPrevista")


async def list_cards(caller: Caller, filter: CardFilter) -> WrittenPage[CardPage]:
    """A page of cards. `total` is exact on the first page and travels on in the cursor.

    A filter by what does not exist matches nothing. Cards without a value stand last in either
    direction. Raises ValidationFailed for a cursor that is not one of this order.
    """
    caller.require(Scope.CRM_READ)
    at = now()
    order = filter.order or ("ordem" if filter.stage_id is not None else "-createdAt")
    by = ORDERS[order.removeprefix("-")]
    asked = _asked(caller, filter, at)
    mark = read_mark(filter.cursor, order, by.read) if filter.cursor is not None else None
    total = f"SELECT count(*) FROM cards c WHERE {asked}"
    if mark is not None:
        _behind(asked, mark, order, by)
        total = asked.value(mark.total)
    in_order = _in_order(order, by)
    read = await read_rows(
        caller,
        CARD,
        _rows(asked, in_order, filter.limit + 1, skip=filter.skip, at=at, is_plain=filter.is_plain),
        asked.values,
        order=in_order.replace("c.", ""),
        place=(by.column, "id"),
        total=total,
        limit=filter.limit,
        keeps_plan=filter.is_plain,
    )
    cursor = None
    if read.last is not None:
        value, id = read.last
        cursor = write_mark(order, Mark(value, id, read.total))
    return WrittenPage(read.items, read.total, cursor)


def _asked(caller: Caller, filter: CardFilter, at: datetime) -> Where:
    asked = Where.visible_to(caller, alias="c")
    narrow_cards(asked, filter, at=at)
    return asked


def _behind(asked: Where, mark: Mark, order: str, by: By) -> None:
    """Only what comes after a row; nulls come after all values."""
    sign = "<" if order.startswith("-") else ">"
    if mark.value is None:
        asked.narrow(f"{by.sql} IS NULL AND c.id {sign} {{}}", mark.id)
        return
    later = f"({by.sql}, c.id) {sign} ({{}}, {{}})"
    nullable = order.removeprefix("-") in NULLABLE
    asked.narrow(f"({later} OR {by.sql} IS NULL)" if nullable else later, mark.value, mark.id)


def _in_order(order: str, by: By) -> str:
    direction = "DESC" if order.startswith("-") else "ASC"
    last = " NULLS LAST" if order.removeprefix("-") in NULLABLE else ""
    return f"{by.sql} {direction}{last}, c.id {direction}"


def _rows(
    where: Where, in_order: str, limit: int, *, skip: int, at: datetime, is_plain: bool
) -> str:
    """Places first, from the narrow columns alone; only the rows that are shown are fetched whole.
    A plain page has no others.
    """
    columns = columns_at(where.value(at))
    if is_plain:
        return f"""
            SELECT {columns}
            FROM (SELECT * FROM cards c WHERE {where} ORDER BY {in_order} LIMIT {limit}) AS c
            JOIN pipeline_stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id"""
    return f"""
        SELECT {columns}
        FROM cards c JOIN pipeline_stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id
        WHERE c.id IN (
            SELECT c.id FROM cards c WHERE {where} ORDER BY {in_order}
            LIMIT {limit}{skipping(skip, where.values)})"""
