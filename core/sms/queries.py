"""Reading SMS: one, and pages of them."""

from typing import Any

from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.pages import UnreadableCursor, cursor_after, cut, read_cursor
from core.sms.inputs import SmsFilter
from core.sms.record import send_record, sms_record

MINE = "organization_id = $1 AND env = $2 AND channel = 'sms' AND direction = 'outbound'"


async def get_message(caller: Caller, id: str) -> dict[str, Any]:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.SMS_READ)
    row = await db.fetchrow(f"SELECT * FROM messages WHERE {MINE} AND id = $3", caller.organization_id, caller.env, id)
    if row is None:
        raise NotFound
    return sms_record(row, unmasked=caller.sees_personal_data)


async def answer_again(caller: Caller, id: str) -> dict[str, Any]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    row = await db.fetchrow(f"SELECT * FROM messages WHERE {MINE} AND id = $3", caller.organization_id, caller.env, id)
    if row is None:
        raise NotFound
    return send_record(row)


async def list_messages(caller: Caller, filter: SmsFilter) -> dict[str, Any]:
    """A page, newest first: `{items, total, nextCursor?}`."""
    caller.require(Scope.SMS_READ)
    where, values = [MINE], [caller.organization_id, caller.env]
    for condition, value in (
        ("status = ${}", filter.status),
        ("region = ${}", filter.region),
        ("contact_id = ${}", filter.contact_id),
        ("campaign_id = ${}", filter.campaign_id),
        ("recipient = ${}", filter.phone),
        ("created_at >= ${}", filter.from_),
        ("created_at <= ${}", filter.to),
    ):
        if value is not None:
            values.append(value)  # type: ignore[arg-type]
            where.append(condition.format(len(values)))
    matching = " AND ".join(where)
    total = await db.fetchval(f"SELECT count(*) FROM messages WHERE {matching}", *values)

    place = ""
    if filter.cursor is not None:
        try:
            at, id = read_cursor(filter.cursor)
        except UnreadableCursor as unreadable:
            raise ValidationFailed(
                errors=[FieldError("parameter", "cursor", "wrong_format", str(unreadable))]
            ) from None
        values += [at, id]  # type: ignore[list-item]
        place = f" AND (created_at, id) < (${len(values) - 1}, ${len(values)})"
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM messages WHERE {matching}{place} "
        f"ORDER BY created_at DESC, id DESC LIMIT {limit + 1} OFFSET ${len(values) + 1}",
        *values,
        filter.skip,
    )
    page = {
        "items": [sms_record(row, unmasked=caller.sees_personal_data) for row in rows[:limit]],
        "total": total,
    }
    if len(rows) > limit:
        last = rows[limit - 1]
        page["nextCursor"] = cursor_after(last["created_at"], last["id"])
    return page
