"""Replies (MO) to what was sent by SMPP, on their way to the account that sent it: written with the reply,
delivered to any receiver of the account, those of one person in their order, for three days; then they expire.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.clock import real_time
from core.foundation.database import db
from core.smpp.deliveries import AT_ONCE, LEASE, SHOWN, WAITS, Settlements


@dataclass(frozen=True, slots=True)
class ReplyToSmpp:
    """A reply, by the id of its message. `destination`: whom it was written to, the source_addr of
    the message that it answers.
    """

    organization_id: str
    env: str
    message_id: str
    account_id: str
    sender: str
    destination: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DueReply:
    """A reply to be delivered now. `text`: None where it is kept no more."""

    id: int
    message_id: str
    account_id: str
    sender: str
    destination: str
    text: str | None
    attempts: int


async def keep_replies(replies: Sequence[ReplyToSmpp]) -> None:
    """They are due, in this order, in the transaction around."""
    rows = [
        (
            one.organization_id,
            one.env,
            one.message_id,
            one.account_id,
            one.sender,
            one.destination,
            one.at,
            real_time(one.at),
        )
        for one in replies
    ]
    await db.execute_for(rows, KEEP, *db.columns(rows, 8))


async def claim_replies(account_ids: Sequence[str], *, at: datetime, limit: int) -> list[DueReply]:
    """Of each person who wrote to these accounts the oldest reply, where it is due; nobody else's
    for a minute and a half.
    """
    rows = await db.fetch(CLAIM, list(account_ids), at, limit, at + LEASE)
    return [DueReply(**dict(row)) for row in rows]


async def forget_replies(*, at: datetime) -> int:
    """Those that nobody has taken in three days expire: answers how many. They are deleted after a
    week.
    """
    expired = await db.execute(EXPIRE, at - WAITS, at, AT_ONCE)
    await db.execute(FORGET, at - SHOWN - WAITS, at - SHOWN, AT_ONCE)
    return expired


KEEP = """
INSERT INTO smpp_replies (organization_id, env, message_id, account_id, sender, destination, created_at, due_at)
SELECT organization_id, env, message_id, account_id, sender, destination, at, due_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
            $8::timestamptz[])
    WITH ORDINALITY AS g (organization_id, env, message_id, account_id, sender, destination, at, due_at, place)
ORDER BY place
"""

CLAIM = """
UPDATE smpp_replies r SET due_at = $4, attempts = r.attempts + 1
FROM (
    SELECT h.id FROM smpp_replies h WHERE h.account_id = ANY ($1) AND h.due_at <= $2 AND h.given_up_at IS NULL AND NOT EXISTS (
        SELECT FROM smpp_replies e WHERE e.account_id = h.account_id AND e.sender = h.sender AND e.id < h.id
          AND e.given_up_at IS NULL
    ) ORDER BY h.due_at LIMIT $3 FOR UPDATE SKIP LOCKED
) AS due
WHERE r.id = due.id
RETURNING r.id, r.message_id, r.account_id, r.sender, r.destination, r.attempts, (
    SELECT m.content ->> 'text' FROM messages m WHERE m.id = r.message_id AND m.organization_id = r.organization_id
      AND m.env = r.env AND m.created_at = r.created_at) AS text
"""

MARK_DEAD = "UPDATE smpp_replies SET due_at = 'infinity', given_up_at = $2 WHERE id = ANY ($1)"
"""Not deleted yet: they may be replayed."""

LATER = """
UPDATE smpp_replies r SET due_at = l.due_at
FROM unnest($1::bigint[], $2::timestamptz[]) AS l (id, due_at) WHERE r.id = l.id AND r.expired_at IS NULL
"""

SETTLE = Settlements("DELETE FROM smpp_replies WHERE id = ANY ($1)", MARK_DEAD, LATER)
settle_replies = SETTLE.settle

EXPIRE = """
UPDATE smpp_replies SET expired_at = $2, given_up_at = coalesce(given_up_at, $2), due_at = 'infinity'
WHERE expired_at IS NULL AND id = ANY (ARRAY(
    SELECT id FROM smpp_replies WHERE created_at < $1 AND expired_at IS NULL LIMIT $3))
"""

FORGET = """
DELETE FROM smpp_replies WHERE id = ANY (ARRAY(
    SELECT id FROM smpp_replies WHERE created_at < $1 AND expired_at < $2 LIMIT $3))
"""
