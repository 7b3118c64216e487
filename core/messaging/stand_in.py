"""The state of the SMS that may stand in for a rich message: diverted, handed over, and how it
ended.

`fallback.handedAt` is written before the SMS is handed over, `path` once it is known which way the
message took.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.messaging.stored_message import StoredMessage, fetch_message, fetch_messages

PathReport: TypeAlias = tuple[str, str, str, str, bool]
"""Message, organization, environment, the way it took, and whether it arrived."""


async def divert(ids: Sequence[str], *, reason: str, at: datetime) -> None:
    """Let the SMS of sent messages leave, due at once: `reason` marks them. Once: whoever hears it
    again changes nothing.
    """
    await db.execute(DIVERT, list(ids), reason, at)


async def note_paths(reported: Sequence[PathReport]) -> Sequence[StoredMessage]:
    """Store the paths that are reported for the first time. Answers these messages."""
    return await fetch_messages(NOTE, *db.columns(reported, 5)) if reported else []


async def begin_stand_in(row: StoredMessage, *, reason: str, at: datetime) -> bool:
    """Mark that the SMS is being handed over. False: a report has ended the matter."""
    return bool(
        await db.execute(
            BEGIN, row["id"], row["organization_id"], reason, {"handedAt": wire_time(at)}
        )
    )


async def accept_stand_in(
    row: StoredMessage, reference: str | None, *, path: str, at: datetime
) -> StoredMessage:
    """The SMS was taken: that is the way of the (locked) message."""
    return await _write(ACCEPT, row, path, reference, at)


async def fail_stand_in(
    row: StoredMessage, reason: str, path: str | None, *, settle_at: datetime | None, at: datetime
) -> StoredMessage:
    """The (locked) message fails with its SMS; `settle_at`: when its hold is looked at again."""
    return await _write(FAIL, row, reason, path, settle_at, at)


async def put_stand_in_off(row: StoredMessage, until: datetime) -> None:
    """The SMS was certainly not taken: it may be handed over again."""
    await db.execute(PUT_OFF, row["id"], row["organization_id"], until)


async def look_again(row: StoredMessage, at: datetime) -> None:
    """The outcome of a (locked) message is still unknown: it is looked at again then."""
    await db.execute(LOOK_AGAIN, row["id"], row["organization_id"], at)


async def _write(statement: str, row: StoredMessage, *values: object) -> StoredMessage:
    written = await fetch_message(statement, row["id"], row["organization_id"], *values)
    assert written is not None, "it is locked"
    return written


DIVERT = """
UPDATE messages SET reason = $2, settle_at = $3, updated_at = $3
WHERE id = ANY ($1) AND status = 'sent' AND reason IS NULL AND path IS NULL
"""

NOTE = """
WITH reported AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[])
        AS t (id, organization_id, env, path, arrived)
), locked AS (
    SELECT m.id FROM messages m WHERE m.id = ANY ($1) ORDER BY m.id FOR UPDATE
)
UPDATE messages m SET path = t.path, reason = CASE WHEN m.status = 'failed' THEN m.reason END
FROM reported t JOIN locked USING (id)
WHERE m.id = t.id AND m.organization_id = t.organization_id AND m.env = t.env AND m.path IS NULL
  -- What has failed is over, but for what arrived after all.
  AND (m.status <> 'failed' OR (t.arrived AND m.reason IN ('indeterminate', 'expired')))
RETURNING m.*
"""

BEGIN = """
UPDATE messages SET fallback = fallback || $4::jsonb, attempts = NULL
WHERE id = $1 AND organization_id = $2 AND status = 'sent' AND reason = $3 AND path IS NULL AND NOT fallback ? 'handedAt'
"""

ACCEPT = """
UPDATE messages SET path = $3, reason = NULL, provider_reference = coalesce($4, provider_reference), updated_at = $5
WHERE id = $1 AND organization_id = $2 RETURNING *
"""

FAIL = """
UPDATE messages SET status = 'failed', reason = $3, path = $4, settle_at = $5, failed_at = $6, updated_at = $6
WHERE id = $1 AND organization_id = $2 RETURNING *
"""

PUT_OFF = """
UPDATE messages SET fallback = fallback - 'handedAt', settle_at = $3 WHERE id = $1 AND organization_id = $2
"""

LOOK_AGAIN = "UPDATE messages SET settle_at = $3 WHERE id = $1 AND organization_id = $2"
