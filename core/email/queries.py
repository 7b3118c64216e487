"""Reading e-mail: one, and pages of them. The body is never among what is read."""

from core.email.inputs import EmailFilter
from core.email.record import email_record, send_record
from core.foundation.database import db
from core.foundation.database.pages import RowPage, cut, page_of, place_behind
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Scope


async def get_message(caller: Caller, id: str) -> dict[str, object]:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.EMAIL_READ)
    return email_record(await message_row(caller, id), unmasked=caller.sees_personal_data)


async def answer_again(caller: Caller, id: str) -> dict[str, object]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return send_record(await message_row(caller, id))


async def list_messages(caller: Caller, filter: EmailFilter) -> RowPage[dict[str, object]]:
    """A page, newest first: `{items, total, nextCursor?}`. Raises ValidationFailed for a cursor of
    another list.
    """
    caller.require(Scope.EMAIL_READ)
    where = Where(
        [caller.organization_id, caller.env],
        ["organization_id = $1 AND env = $2 AND channel = 'email'"],
    )
    for condition, value in (
        ("status = {}", filter.status),
        ("lower(recipient) = lower({})", filter.to),
        ("campaign_id = {}", filter.campaign_id),
    ):
        if value is not None:
            where.narrow(condition, value)
    total = await db.fetchval(_total(filter, where), *where.values)
    if filter.cursor is not None:
        where.narrow("(created_at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM messages WHERE {where} ORDER BY created_at DESC, id DESC "
        f"LIMIT {limit + 1} OFFSET ${len(where.values) + 1}",
        *where.values,
        filter.skip,
    )
    return page_of(
        rows, limit, lambda row: email_record(row, unmasked=caller.sees_personal_data), total=total
    )


def _total(filter: EmailFilter, where: Where) -> str:
    """From the counts that are kept, unless something is asked that they do not know."""
    if filter.to is None and filter.campaign_id is None:
        return f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {where}"
    return f"SELECT count(*) FROM messages WHERE {where}"


async def message_row(caller: Caller, id: str) -> HasColumns:
    """A message of the caller's. Raises NotFound."""
    row = await db.fetchrow(
        (
            "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
            "AND channel = 'email'"
        ),
        caller.organization_id,
        caller.env,
        id,
    )
    if row is None:
        raise NotFound
    return row
