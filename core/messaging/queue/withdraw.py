"""Withdrawing queued messages: they fail unsent, and their holds are released."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import cast

from core import wallet
from core.foundation.database import db
from core.foundation.database.rows import column
from core.messaging.announce import announce_messages
from core.messaging.queue.rows import dequeue
from core.messaging.settle import book, owner_of, tell
from core.messaging.stored_message import HeldMessage, StoredMessage, fetch_messages


async def delete_waiting(messages: Sequence[str]) -> None:
    """Delete what waits of messages that are gone."""
    await db.execute("DELETE FROM waiting_messages WHERE message_id = ANY ($1)", list(messages))


async def withdraw(
    ids: Collection[str],
    *,
    reason: str,
    reasons: Mapping[str, str] | None = None,
    error: str | None = None,
    at: datetime,
) -> Sequence[StoredMessage]:
    """End those of these messages that nobody has begun to hand over. `reasons`: of the channels
    that have another word for it; `error` is their `lastError`. Answers their rows.

    Belongs into the transaction of its cause, which has narrowed the ids to its own organization.
    """
    dequeued = [one.message_id for one in await dequeue(sorted(ids))]
    if not dequeued:
        return []
    queued = cast("list[HeldMessage]", await db.fetch(LOCK, dequeued))
    await book(
        [
            wallet.release(
                owner_of(row), row["id"], row["coins"], row["request_id"], row["quote_id"]
            )
            for row in queued
        ],
        at=at,
    )
    rows = await fetch_messages(FAIL, column(queued, "id"), reason, error, at, reasons or {})
    await tell(rows, at=at)
    await announce_messages(rows)
    return rows


LOCK = """
SELECT id, organization_id, env, coins, request_id, quote_id FROM messages
WHERE id = ANY ($1) AND status = 'queued' ORDER BY id FOR UPDATE
"""

FAIL = """
UPDATE messages
SET status = 'failed', reason = coalesce($5::jsonb ->> channel, $2), last_error = $3,
    original_error = coalesce(original_error, $3), coins = 0, sealed_text = NULL, failed_at = $4, updated_at = $4
WHERE id = ANY ($1)
RETURNING *
"""
