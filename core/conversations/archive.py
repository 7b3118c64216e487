"""Archiving finished conversational messages: by the account, one at a time, or by their age."""

from datetime import UTC, datetime, timedelta
from typing import Any

from core import audit
from core.conversations.errors import NotFinished
from core.conversations.record import message_record, names_of
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import Status, announce_messages

FINISHED = (Status.DELIVERED, Status.READ, Status.FAILED)

BATCH_SIZE = 1_000

EPOCH = datetime.fromtimestamp(0, UTC)


async def archive_message(caller: Caller, id: str) -> dict[str, Any]:
    """Archive one finished message, for good; an archived one stays as it is. Raises NotFound and
    NotFinished.
    """
    caller.require(Scope.MESSAGES_SEND)
    at = now()
    async with transaction():
        row = await db.fetchrow(
            LOCK, caller.organization_id, caller.env, id if is_id("msg", id) else None
        )
        if row is None:
            raise NotFound
        if row["status"] != Status.ARCHIVED:
            if row["status"] not in FINISHED:
                raise NotFinished
            row = await db.fetchrow(ARCHIVE_ONE, id, at)
            assert row is not None
            await audit.write_entry(caller, "message.archived", id, {}, at=at)
            await announce_messages([row])
    names = await names_of(caller.organization_id, [row])
    return message_record(row, masked=not caller.sees_personal_data, names=names)


async def archive_old(*, at: datetime) -> int:
    """Archive finished messages that are older than the setting says, if it says anything.
    Answers how many.
    """
    days = current().archive_after_days
    if days is None:
        return 0
    archived = 0
    for owner in await db.fetch(OWNERS):
        archived += await _archive_of(
            tuple(owner.values()), before=at - timedelta(days=days), at=at
        )
    return archived


async def _archive_of(owner: tuple[str, str, str], *, before: datetime, at: datetime) -> int:
    """In batches, each of which begins where the last one ended: every old message is looked at
    once in a run.
    """
    archived, place, batch = 0, (EPOCH, ""), BATCH_SIZE
    while batch == BATCH_SIZE:
        async with transaction():
            rows = await db.fetch(
                ARCHIVE_OLD, *owner, *place, before, list(FINISHED), BATCH_SIZE, at
            )
            await announce_messages(rows)
        archived, batch = archived + len(rows), len(rows)
        place = max(((row["created_at"], row["id"]) for row in rows), default=place)
    return archived


LOCK = """
SELECT * FROM messages
WHERE organization_id = $1 AND env = $2 AND id = $3 AND channel IN ('whatsapp', 'instagram') FOR UPDATE
"""

ARCHIVE_ONE = "UPDATE messages SET status = 'archived', updated_at = $2 WHERE id = $1 RETURNING *"

OWNERS = """
SELECT DISTINCT organization_id, env, channel FROM message_counts WHERE channel IN ('whatsapp', 'instagram')
"""

# One that a report is just moving is left for the next run.
ARCHIVE_OLD = """
UPDATE messages m SET status = 'archived', updated_at = $9
WHERE m.id = ANY (ARRAY(
    SELECT id FROM messages
    WHERE organization_id = $1 AND env = $2 AND channel = $3 AND (created_at, id) > ($4, $5) AND created_at < $6
      AND status = ANY ($7)
    ORDER BY created_at, id LIMIT $8 FOR UPDATE SKIP LOCKED))
RETURNING m.*
"""
