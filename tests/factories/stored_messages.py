"""Messages written as rows: for tests that care for a state at a time and not for how it came about."""

from datetime import datetime
from typing import Any

from core.foundation.caller import Caller
from core.foundation.ids import new_id
from core.foundation.tenancy import owned_by
from core.messages import Channel, Direction, Message, Status

ON_THE_WAY = (Status.QUEUED, Status.SENDING)


async def stored_message(caller: Caller, at: datetime, **fields: Any) -> str:
    """An SMS created at that time, delivered and charged 800 coins unless told otherwise; its id."""
    status = fields.get("status", Status.DELIVERED)
    plain = {
        "channel": Channel.SMS,
        "direction": Direction.OUTBOUND,
        "status": status,
        "recipient": "+5511987650005",
        "provider": "svc-sandbox",
        "coins": 800,
        "created_at": at,
        "sent_at": None if status in ON_THE_WAY else at,
        "updated_at": at,
    }
    message = await Message.create(id=new_id("msg"), **owned_by(caller), **{**plain, **fields})
    return message.id


async def stored_reply(caller: Caller, at: datetime, **fields: Any) -> str:
    """One that came in, as if nothing had been charged for it; its id."""
    inbound = {"direction": Direction.INBOUND, "provider_reference": new_id("mo"), "sent_at": None, "coins": 0}
    return await stored_message(caller, at, **{**inbound, **fields})
