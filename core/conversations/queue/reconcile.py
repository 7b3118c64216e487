"""Reconciliation of stuck messages: indeterminate after ten minutes, the hold released later."""

from datetime import datetime

from core import messaging
from core.conversations.queue.settle import settle
from core.messaging import CONVERSATIONS, Indeterminate, Settlement, Status, timeouts


async def reconcile(*, at: datetime) -> int:
    """End messages that have been `sending` for ten minutes, and release what was held for three
    days. They are not sent again. Answers how many it took.
    """
    rows = [
        row
        for channel in CONVERSATIONS
        for row in await messaging.claim_due(channel, at=at, limit=timeouts.STUCK_BATCH_SIZE)
    ]
    stuck = [row["id"] for row in rows if row["status"] == Status.SENDING]
    await settle([Settlement(id, Indeterminate(), at) for id in stuck])
    held = [row["id"] for row in rows if row["status"] != Status.SENDING]
    await messaging.release_expired_holds(held, at=at)
    return len(rows)
