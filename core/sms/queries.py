"""Reading SMS: one, and pages of them."""

from typing import Any

from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.errors import NotFound
from core.sms.inputs import SmsFilter
from core.sms.listing import page_of
from core.sms.record import send_record, sms_record


async def get_message(caller: Caller, id: str) -> dict[str, Any]:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.SMS_READ)
    return sms_record(await _row(caller, id), unmasked=caller.sees_personal_data)


async def answer_again(caller: Caller, id: str) -> dict[str, Any]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return send_record(await _row(caller, id))


async def list_messages(caller: Caller, filter: SmsFilter) -> dict[str, Any]:
    """A page, newest first: `{items, total, nextCursor?}`."""
    caller.require(Scope.SMS_READ)
    conditions = [
        ("status = ${}", filter.status),
        ("region = ${}", filter.region),
        ("contact_id = ${}", filter.contact_id),
        ("campaign_id = ${}", filter.campaign_id),
        ("recipient = ${}", filter.phone),
        ("created_at >= ${}", filter.from_),
        ("created_at <= ${}", filter.to),
    ]
    return await page_of(caller, "outbound", conditions, filter, sms_record)


async def _row(caller: Caller, id: str) -> db.Row:
    row = await db.fetchrow(
        "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
        "AND channel = 'sms' AND direction = 'outbound'",
        caller.organization_id,
        caller.env,
        id,
    )
    if row is None:
        raise NotFound
    return row
