"""Letting queued SMS, RCS and e-mails leave, as their dispatchers do."""

from datetime import datetime
from typing import Any

from core import sms
from core.foundation.clock import now
from core.foundation.database import db
from core.messaging import PhoneQueue, QueueDispatcher
from core.messaging.queue.due_organizations import find_due_organizations, grant_all
from core.messaging.queue.pacing import Pacing
from core.messaging.queue.phone_queue import claim, hand_over


async def let_leave(
    *, at: datetime | None = None, rounds: int = 20, by: QueueDispatcher[Any, Any] | None = None
) -> int:
    """Let leave what is due at this moment and has its tokens; answers how many were taken."""
    dispatcher = by or sms.SmsDispatcher()
    taken = 0
    for _ in range(rounds):
        now_taken, _ = await dispatcher.round(at=at or now())
        await dispatcher.finish()
        taken += now_taken
        if not now_taken:
            break
    return taken


async def due_at(id: str) -> datetime | None:
    """When a queued message is due; None where it does not wait."""
    found: datetime | None = await db.fetchval(
        "SELECT due_at FROM waiting_messages WHERE message_id = $1", id
    )
    return found


async def hand_over_here(how: PhoneQueue, *, at: datetime) -> None:
    """What a dispatcher does in one round, one after the other and in the transaction of the test."""
    senders = await find_due_organizations(how.channel, at=at, most=1000)
    quotas = await Pacing(grant_all).allot(senders, slots=1000)
    claimed = await claim(how, quotas, at=at)
    for ready in claimed.ready:
        await how.settle([await hand_over(how, ready, None)])
