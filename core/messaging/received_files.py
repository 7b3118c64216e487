"""The files of received messages, as their rows know them: when to look for one, and our copy of it.

`settle_at` of a received message tells when its file is looked for; `attempts`: examinations of it
that have begun, and of which nobody knows how they ended.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TypedDict, cast

from core.foundation import pubsub
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.moved_clocks import unless_moved
from core.foundation.security.caller import Caller
from core.messaging.announce import changed
from core.messaging.models import Direction, Message


class DueFile(TypedDict):
    """A received message whose file is to be looked for."""

    id: str
    created_at: datetime
    settle_at: datetime


async def claim_due_files(*, at: datetime, until: datetime, limit: int) -> list[DueFile]:
    """Received messages whose file is due, leased `until` then: id, created_at and settle_at."""
    return cast("list[DueFile]", await db.fetch(*unless_moved(CLAIM, at, limit, until)))


async def settle_file(id: str, again: datetime | None, error: str | None, *, at: datetime) -> None:
    """A file was looked for: it is looked for `again`, or not any more; `error`: why it was given
    up, which those who look on are told.
    """
    row = await db.fetchrow(SETTLE, id, again, error, at)
    if row is not None and error is not None:
        owner = (row["organization_id"], row["env"])
        await pubsub.publish(
            [changed(*owner, id, channel=row["channel"], direction=Direction.INBOUND)]
        )


async def keep_copy(
    caller: Caller, id: str, copy: Mapping[str, object], *, error: str | None, at: datetime
) -> bool:
    """Note our copy of the file, and tell those who look on. False where the message has one
    already, or is gone.
    """
    owner = (caller.organization_id, caller.env)
    channel = await db.fetchval(KEEP, *owner, id, copy, error, at)
    if channel is None:
        return False
    await pubsub.publish([changed(*owner, id, channel=channel, direction=Direction.INBOUND)])
    return True


async def begin_examination(caller: Caller, id: str) -> int:
    """Note that the file is being examined; answers how often that was begun and never ended."""
    begun: int | None = await db.fetchval(BEGIN, caller.organization_id, caller.env, id)
    return begun or 0


async def end_examination(caller: Caller, id: str) -> None:
    """The examination ended, and the process that did it lives."""
    await Message.visible_to(caller).filter(id=id).update(attempts=0)


async def take_copies(caller: Caller, messages: Collection[str]) -> list[str]:
    """Take the copies from messages that are being erased; answers the keys of their files."""
    rows = await db.fetch(TAKE, caller.organization_id, caller.env, list(messages))
    return column(rows, "key")


SETTLE = """
UPDATE messages SET settle_at = $2, last_error = coalesce($3, last_error),
    updated_at = CASE WHEN $3::text IS NULL THEN updated_at ELSE $4 END
WHERE id = $1 RETURNING organization_id, env, channel
"""

CLAIM = """
UPDATE messages SET settle_at = $3
WHERE id = ANY (ARRAY(
    SELECT id FROM messages WHERE settle_at <= $1 AND direction = 'inbound' /* unless moved */
    ORDER BY settle_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, created_at, settle_at
"""

KEEP = """
UPDATE messages SET media = $4, last_error = $5, updated_at = $6
WHERE organization_id = $1 AND env = $2 AND id = $3 AND media IS NULL RETURNING channel
"""

BEGIN = """
UPDATE messages SET attempts = coalesce(attempts, 0) + 1
WHERE organization_id = $1 AND env = $2 AND id = $3 RETURNING attempts
"""

TAKE = """
WITH erased AS (
    SELECT id, media ->> 'key' AS key FROM messages
    WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND media IS NOT NULL
)
UPDATE messages m SET media = NULL FROM erased e WHERE m.id = e.id RETURNING e.key
"""
