"""Archiving finished conversational messages: by the account, one at a time, or by their age."""

from datetime import UTC, datetime, timedelta

from core import audit, messaging
from core.conversations.errors import NotFinished
from core.conversations.record import ConversationRecord, message_record, names_of
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import FINISHED, ArchiveOwner, Status, fetch_message

BATCH_SIZE = 1_000

EPOCH = datetime.fromtimestamp(0, UTC)


async def archive_message(caller: Caller, id: str) -> ConversationRecord:
    """Archive one finished message, for good; an archived one stays as it is. Raises NotFound and
    NotFinished.
    """
    caller.require(Scope.MESSAGES_SEND)
    at = now()
    async with transaction():
        found = existing(
            await fetch_message(LOCK, caller.organization_id, caller.env, well_formed_id("msg", id))
        )
        row = found
        if row["status"] != Status.ARCHIVED:
            if row["status"] not in FINISHED:
                raise NotFinished
            row = await messaging.archive_one(caller, id, at=at)
            await audit.write_entry(caller, "message.archived", id, {}, at=at)
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
            ArchiveOwner(*owner.values()), before=at - timedelta(days=days), at=at
        )
    return archived


async def _archive_of(owner: ArchiveOwner, *, before: datetime, at: datetime) -> int:
    """In batches, each of which begins where the last one ended: every old message is looked at
    once in a run.
    """
    archived, place, batch = 0, (EPOCH, ""), BATCH_SIZE
    while batch == BATCH_SIZE:
        async with transaction():
            rows = await messaging.archive_older(
                owner, behind=place, before=before, limit=BATCH_SIZE, at=at
            )
        archived, batch = archived + len(rows), len(rows)
        place = max(((row["created_at"], row["id"]) for row in rows), default=place)
    return archived


LOCK = """
SELECT * FROM messages
WHERE organization_id = $1 AND env = $2 AND id = $3 AND channel IN ('whatsapp', 'instagram') FOR UPDATE
"""

OWNERS = """
SELECT DISTINCT organization_id, env, channel FROM message_counts WHERE channel IN ('whatsapp', 'instagram')
"""
