"""Reading RCS messages: one, and pages of them."""

from typing import Any

from core.foundation.database import db
from core.foundation.database.pages import UnreadableCursor, cut, page_of, read_cursor
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Scope
from core.rcs.inputs import RcsFilter
from core.rcs.record import answer_of, rcs_record


async def get_message(caller: Caller, id: str) -> dict[str, Any]:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.RCS_READ)
    return rcs_record(await message_row(caller, id), unmasked=caller.sees_personal_data)


async def answer_again(caller: Caller, id: str) -> dict[str, Any]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return answer_of(await message_row(caller, id))


async def list_messages(caller: Caller, filter: RcsFilter) -> dict[str, Any]:
    """A page, newest first: `{items, nextCursor?, warnings?}`.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    caller.require(Scope.RCS_READ)
    where = Where(
        [caller.organization_id, caller.env],
        ["organization_id = $1 AND env = $2 AND channel = 'rcs' AND direction = 'outbound'"],
    )
    for column, value in (
        ("status", filter.status),
        ("path", filter.channel),
        ("campaign_id", filter.campaign_id),
    ):
        if value is not None:
            where.narrow(f"{column} = {{}}", value)
    if filter.cursor is not None:
        try:
            where.narrow("(created_at, id) < ({}, {})", *read_cursor(filter.cursor))
        except UnreadableCursor:
            return {"items": [], "warnings": ["cursor_invalido"]}
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM messages WHERE {where} ORDER BY created_at DESC, id DESC LIMIT {limit + 1}",
        *where.values,
    )
    return page_of(rows, limit, lambda row: rcs_record(row, unmasked=caller.sees_personal_data))


async def message_row(caller: Caller, id: str) -> db.Row:
    """A message of the caller's. Raises NotFound."""
    row = await db.fetchrow(
        "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
        "AND channel = 'rcs' AND direction = 'outbound'",
        caller.organization_id,
        caller.env,
        id,
    )
    if row is None:
        raise NotFound
    return row
