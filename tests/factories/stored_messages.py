"""Messages written as rows: for tests that care for a state at a time and not for how it came
about.
"""

from datetime import datetime
from typing import Any

from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import Channel, Direction, Message, Status

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
    inbound = {
        "direction": Direction.INBOUND,
        "provider_reference": new_id("mo"),
        "sent_at": None,
        "coins": 0,
    }
    return await stored_message(caller, at, **{**inbound, **fields})


async def stored_conversation(caller: Caller, at: datetime, **fields: Any) -> str:
    """A text on WhatsApp that was delivered, unless told otherwise; its id."""
    plain = {
        "channel": Channel.WHATSAPP,
        "type": "text",
        "content": {"text": "Seu pedido saiu"},
        "priority": "normal",
        "force": False,
        "attempts": 1,
        "coins": 0,
    }
    return await stored_message(caller, at, **{**plain, **fields})


def a_whole_conversation(at: datetime) -> dict[str, Any]:
    """A value in every column that a conversational message can fill."""
    return {
        "status": Status.FAILED,
        "type": "template",
        "content": {"name": "pedido_enviado", "language": "pt_BR"},
        "template_id": new_id("tpl"),
        "template_vars": ["Ana", "A-1042"],
        "number_id": new_id("num"),
        "instagram_account_id": new_id("iga"),
        "batch_id": new_id("btc"),
        "campaign_id": "outono",
        "priority": "bulk",
        "force": True,
        "reprocessed": True,
        "replaced_by": new_id("msg"),
        "in_reply_to": new_id("msg"),
        "attempts": 3,
        "reason": "throttled",
        "last_error": "The platform is busy",
        "original_error": "The platform did not answer",
        "upstream_code": "130429",
        "provider_reference": "wamid.1",
        "link_origin": {
            "fonte": "outra",
            "fonteRotulo": "radio",
            "campanha": "outono",
            "codigo": "A1",
        },
        "media": {
            "mimeType": "image/png",
            "size": 67,
            "storedAt": "2026-01-20T12:00:00.000Z",
            "key": "k",
            "filename": "a",
        },
        "metadata": {"pedido": "A-1042"},
        **dict.fromkeys(("scheduled_at", "sent_at", "delivered_at", "read_at", "failed_at"), at),
    }
