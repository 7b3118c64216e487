"""Rows of the messages table for tests that care for a state and not for how it came about."""

from core import messaging
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import Channel, Direction, Status


async def a_message(
    caller: Caller,
    *,
    channel: Channel = Channel.SMS,
    status: Status = Status.SENT,
    reason: str | None = None,
) -> str:
    """An outbound message of a channel, of a phone, in this state; its id."""
    rich = channel is Channel.RCS
    id, at = new_id("msg"), now()
    await messaging.insert_messages(
        [
            messaging.MessageRow(
                id=id,
                organization_id=caller.organization_id,
                env=caller.env,
                channel=channel,
                direction=Direction.OUTBOUND,
                status=status,
                route="easy_rcs" if rich else "premium",
                recipient="+5511987650005",
                region="BR",
                sender_id=None,
                provider="svc-sandbox",
                provider_reference=None,
                encoding=None if rich else "GSM-7",
                length=None if rich else 5,
                segments=None if rich else 1,
                coins=800,
                contact_id=None,
                campaign_id=None,
                metadata=None,
                request_id=None,
                created_at=at,
                sent_at=at,
                failed_at=None,
                updated_at=at,
                content={"text": "Hello"} if rich else None,
            )
        ]
    )
    if reason is not None:
        await db.execute("UPDATE messages SET reason = $2 WHERE id = $1", id, reason)
    return id
