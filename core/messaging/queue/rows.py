"""The rows of the queue: whoever deletes one decides what becomes of its message."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from core.foundation.database import db
from core.foundation.database.rows_beside import RowsBeside


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A row of `waiting_messages`. `expires_at`: when its message is not worth handing over any more."""

    message_id: str
    organization_id: str
    env: str
    sender_id: str
    identity: bytes
    urgency: int
    force: bool
    is_marketing: bool
    due_at: datetime
    created_at: datetime
    expires_at: datetime | None = None


BESIDE = RowsBeside(
    "waiting_messages",
    (
        ("sender_id", "text"),
        ("identity", "bytea"),
        ("urgency", "smallint"),
        ("force", "bool"),
        ("is_marketing", "bool"),
        ("due_at", "timestamptz"),
        ("created_at", "timestamptz"),
        ("expires_at", "timestamptz"),
    ),
)
"""The same rows, written by the statement that accepts their messages."""


async def enqueue(rows: Sequence[QueuedMessage]) -> None:
    """Let messages wait, in the transaction that makes them queued."""
    await db.execute_for(rows, WAIT, *db.columns(map(_values, rows), 11))


def without(due: Sequence[QueuedMessage], ids: Container[str]) -> list[QueuedMessage]:
    """Those that have none of these ids."""
    return [one for one in due if one.message_id not in ids]


async def dequeue(message_ids: Sequence[str]) -> list[QueuedMessage]:
    """Take the rows of these messages away, and with them the right to decide; but for those that
    somebody else is taking right now.
    """
    rows = await db.fetch(TAKE, list(message_ids))
    return [QueuedMessage(*row.values()) for row in rows]


COLUMNS = (
    "message_id, organization_id, env, sender_id, identity, urgency, force, "
    "is_marketing, due_at, created_at, "
    "expires_at"
)

_values = attrgetter(*COLUMNS.split(", "))  # `astuple` copies each value

WAIT = f"""
INSERT INTO waiting_messages ({COLUMNS})
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::smallint[], $7::bool[],
                     $8::bool[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
"""

TAKE = f"""
DELETE FROM waiting_messages WHERE message_id = ANY (ARRAY(
    SELECT message_id FROM waiting_messages WHERE message_id = ANY ($1) ORDER BY message_id FOR UPDATE SKIP LOCKED))
RETURNING {COLUMNS}
"""
