"""Reconciliation of stuck messages: indeterminate after ten minutes, the hold released later."""

from datetime import datetime, timedelta

from core import messaging
from core.conversations.events import publish_moves
from core.conversations.reasons import FailureReason
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messaging import CONVERSATIONS, Status, announce_messages

BATCH_SIZE = 100
HOLD_TTL = timedelta(hours=72)
ERROR = "The platform was handed the message and never said what became of it; it may have arrived."


async def reconcile(*, at: datetime) -> int:
    """End messages that have been `sending` for ten minutes, and release what was held for three
    days. They are not sent again. Answers how many it took.
    """
    async with transaction():
        rows = [
            row
            for channel in CONVERSATIONS
            for row in await messaging.claim_due(channel, at=at, limit=BATCH_SIZE)
        ]
        open = [row["id"] for row in rows if row["status"] == Status.SENDING]
        failed = (
            await db.fetch(FAIL, open, FailureReason.INDETERMINATE, ERROR, at, at + HOLD_TTL)
            if open
            else []
        )
        await publish_moves(failed, at=at)
        await announce_messages(failed)
        await messaging.release_expired_holds(
            [row for row in rows if row["status"] != Status.SENDING], at=at
        )
    return len(rows)


FAIL = """
UPDATE messages
SET status = 'failed', reason = $2, last_error = $3, original_error = coalesce(original_error, $3), failed_at = $4,
    updated_at = $4, settle_at = $5
WHERE id = ANY ($1)
RETURNING *
"""
