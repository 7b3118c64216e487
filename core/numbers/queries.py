"""Use cases: read one number, and pages of them."""

from typing import Any

from core.foundation.database import db
from core.foundation.database.newest_page import newest_page
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.numbers.conditions import narrow_numbers
from core.numbers.inputs import NumberFilter
from core.numbers.record import number_record


async def get_number(caller: Caller, id: str) -> dict[str, Any]:
    """One number of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.NUMBERS_READ)
    return number_record(await number_row(caller, id), unmasked=caller.sees_personal_data)


async def list_numbers(caller: Caller, filter: NumberFilter) -> dict[str, Any]:
    """A page of numbers, newest first: `{items, total, nextCursor?, warnings?}`.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    caller.require(Scope.NUMBERS_READ)
    where = Where.visible_to(caller)
    narrow_numbers(where, status=filter.status, quality_rating=filter.quality_rating)
    return await newest_page(
        "numbers",
        where,
        filter,
        lambda row: number_record(row, unmasked=caller.sees_personal_data),
        warns=True,
    )


async def number_row(caller: Caller, id: str) -> db.Row:
    """The stored row of the caller's number. Raises NotFound."""
    row = (
        await db.fetchrow(ONE, caller.organization_id, caller.env, id) if is_id("num", id) else None
    )
    if row is None:
        raise NotFound
    return row


ONE = "SELECT * FROM numbers WHERE organization_id = $1 AND env = $2 AND id = $3"
