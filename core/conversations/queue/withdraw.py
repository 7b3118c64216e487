"""Withdrawing queued messages: they fail unsent, and their holds are released."""

from collections.abc import Collection, Sequence
from datetime import datetime

from core import wallet
from core.conversations.events import publish_moves
from core.conversations.queue.queued_messages import dequeue
from core.conversations.reasons import FailureReason
from core.foundation.database import db
from core.foundation.settings import current
from core.messaging import announce_messages


async def delete_waiting(messages: Sequence[str]) -> None:
    """Delete what waits of messages that are gone."""
    await db.execute("DELETE FROM waiting_messages WHERE message_id = ANY ($1)", list(messages))


async def withdraw(
    ids: Collection[str], *, reason: FailureReason, error: str, at: datetime
) -> Sequence[db.Row]:
    """End those of these messages that nobody has begun to hand over; `error` is their `lastError`.
    Answers their rows.

    Belongs into the transaction of its cause, which has narrowed the ids to its own organization.
    """
    dequeued = [one.message_id for one in await dequeue(sorted(ids))]
    if not dequeued:
        return []
    queued = await db.fetch(LOCK, dequeued)
    if current().charges:
        await wallet.lock_balances({(row["organization_id"], row["env"]) for row in queued})
        await wallet.book(
            [
                wallet.release(
                    (row["organization_id"], row["env"]), row["id"], row["coins"], row["request_id"]
                )
                for row in queued
            ],
            at=at,
        )
    rows = await db.fetch(FAIL, dequeued, reason, error, at)
    await publish_moves(rows, at=at)
    await announce_messages(rows)
    return rows


LOCK = """
SELECT id, organization_id, env, coins, request_id FROM messages WHERE id = ANY ($1) ORDER BY id FOR UPDATE
"""

FAIL = """
UPDATE messages
SET status = 'failed', reason = $2, last_error = $3, original_error = coalesce(original_error, $3), coins = 0,
    failed_at = $4, updated_at = $4
WHERE id = ANY ($1)
RETURNING *
"""
