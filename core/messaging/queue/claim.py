"""Claiming due messages from the queue: what may leave is marked before it is handed over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import by_column, column
from core.messaging.models import Status
from core.messaging.queue.rows import COLUMNS, QueuedMessage
from core.messaging.stored_message import StoredMessage, fetch_messages


@dataclass(frozen=True, slots=True)
class Quota:
    """How many messages of an urgency a sender may send now."""

    sender_id: str
    urgency: int
    count: int


async def take_due(quotas: Sequence[Quota], *, at: datetime) -> list[QueuedMessage]:
    """Delete the rows that the quotas allow, and answer them in the order of their turn."""
    allowed = [(one.sender_id, one.urgency, one.count) for one in quotas]
    rows = await db.fetch(TAKE, *db.columns(allowed, 3), at)
    return sorted((QueuedMessage(*row.values()) for row in rows), key=_turn)


async def lock_queued(ids: Sequence[str]) -> list[str]:
    """Lock those of these messages that are still queued, in the order in which everybody does."""
    return column(await db.fetch(LOCK, list(ids)), "id")


async def begin_hand_over(
    ids: Sequence[str],
    *,
    status: Status,
    until: datetime,
    uncounted: Sequence[str] = (),
    providers: Mapping[str, str] | None = None,
    at: datetime,
) -> dict[str, StoredMessage]:
    """Mark (locked) messages as being handed over, with the `status` of an open outcome: they are
    looked at again at `until`. `uncounted`: those for which it is no attempt. `providers`: who
    carries those that somebody else was to carry. Answers their rows.
    """
    others = list((providers or {}).items())
    rows = await fetch_messages(
        BEGIN, list(ids), list(uncounted), status, until, at, *db.columns(others, 2)
    )
    return by_column(rows, "id")


def _turn(one: QueuedMessage) -> tuple[int, datetime, datetime, str]:
    return one.urgency, one.due_at, one.created_at, one.message_id


TAKE = f"""
WITH picked AS (
    SELECT p.message_id
    FROM unnest($1::text[], $2::smallint[], $3::int[]) AS q (sender_id, urgency, count)
    CROSS JOIN LATERAL (
        SELECT w.message_id FROM waiting_messages w
        WHERE w.sender_id = q.sender_id AND w.urgency = q.urgency AND w.due_at <= $4
        ORDER BY w.due_at, w.created_at, w.message_id LIMIT q.count
        FOR UPDATE SKIP LOCKED) AS p
)
DELETE FROM waiting_messages WHERE message_id = ANY (ARRAY(SELECT message_id FROM picked)) RETURNING {COLUMNS}
"""

LOCK = "SELECT id FROM messages WHERE id = ANY ($1) AND status = 'queued' ORDER BY id FOR UPDATE"

# Only conversations count their attempts here; where none are counted there is nothing to add to.
BEGIN = """
UPDATE messages
SET status = $3, attempts = attempts + CASE WHEN id = ANY ($2) THEN 0 ELSE 1 END, settle_at = $4,
    handed_over_at = $5, updated_at = $5,
    provider = coalesce((SELECT o.provider FROM unnest($6::text[], $7::text[]) AS o (id, provider)
                         WHERE o.id = messages.id), provider)
WHERE id = ANY ($1)
RETURNING *
"""
