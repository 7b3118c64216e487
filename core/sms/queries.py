"""Reading SMS: one, and pages of them."""

from typing import Any

import orjson

from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller, Scope
from core.sms.inputs import SmsFilter
from core.sms.page_json import page_json
from core.sms.record import send_record, sms_record


async def get_message(caller: Caller, id: str) -> dict[str, Any]:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.SMS_READ)
    return sms_record(await message_row(caller, id), unmasked=caller.sees_personal_data)


async def answer_again(caller: Caller, id: str) -> dict[str, Any]:
    """The present state of an earlier send, unmasked, as the answer to a repeated request."""
    return send_record(await message_row(caller, id))


async def list_messages(caller: Caller, filter: SmsFilter) -> dict[str, Any]:
    """A page, newest first: `{items, total, nextCursor?}`."""
    page: dict[str, Any] = orjson.loads(await list_messages_json(caller, filter))
    return page


async def list_messages_json(caller: Caller, filter: SmsFilter) -> bytes:
    """The same page as the JSON that leaves."""
    caller.require(Scope.SMS_READ)
    return await page_json(caller, filter)


async def message_row(caller: Caller, id: str) -> db.Row:
    """A sent message of the caller's. Raises NotFound."""
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
