"""Archiving messages whose outcome is known, and naming those that took the place of others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging.announce import announce_messages
from core.messaging.models import Status
from core.messaging.stored_message import StoredMessage, fetch_message, fetch_messages

FINISHED = (Status.DELIVERED, Status.READ, Status.FAILED)


@dataclass(frozen=True, slots=True)
class ArchiveOwner:
    """Whose messages of which channel."""

    organization_id: str
    env: str
    channel: str


async def archive_one(caller: Caller, id: str, *, at: datetime) -> StoredMessage:
    """Archive a (locked) message."""
    row = await fetch_message(ARCHIVE_ONE, id, at, caller.organization_id)
    assert row is not None, "it is locked"
    await announce_messages([row])
    return row


async def archive_older(
    owner: ArchiveOwner,
    *,
    behind: tuple[datetime, str],
    before: datetime,
    limit: int,
    at: datetime,
) -> Sequence[StoredMessage]:
    """Archive finished messages that were created before a moment and stand behind a place in the
    order of creation (time, id); answers them.
    """
    rows = await fetch_messages(
        ARCHIVE_OLDER,
        owner.organization_id,
        owner.env,
        owner.channel,
        *behind,
        before,
        list(FINISHED),
        limit,
        at,
    )
    await announce_messages(rows)
    return rows


async def note_replacements(
    caller: Caller, pairs: Collection[tuple[str, str]], *, at: datetime
) -> None:
    """Let failed messages name the ones that were sent in their stead: (old id, new id)."""
    await announce_messages(
        await fetch_messages(REPLACE, *db.columns(pairs, 2), at, caller.organization_id)
    )


ARCHIVE_ONE = """
UPDATE messages SET status = 'archived', updated_at = $2 WHERE id = $1 AND organization_id = $3 RETURNING *
"""

# One that a report is just moving is left for the next run.
ARCHIVE_OLDER = """
UPDATE messages m SET status = 'archived', updated_at = $9
WHERE m.id = ANY (ARRAY(
    SELECT id FROM messages
    WHERE organization_id = $1 AND env = $2 AND channel = $3 AND (created_at, id) > ($4, $5) AND created_at < $6
      AND status = ANY ($7)
    ORDER BY created_at, id LIMIT $8 FOR UPDATE SKIP LOCKED))
RETURNING m.*
"""

REPLACE = """
UPDATE messages m SET replaced_by = r.new_id, updated_at = $3
FROM unnest($1::text[], $2::text[]) AS r (id, new_id)
WHERE m.id = r.id AND m.organization_id = $4
RETURNING m.*
"""
