"""Receipts: wanted for what a client was told by an id, due once its message has ended, delivered to any
receiver of the account, again after a lost connection, for three days; then they expire.

A receipt is asked for by the statement that accepts its message: both are there, or neither. Where the
provider does not take the message, and its client is told so, that transaction takes it back.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from core.foundation.clock import real_time
from core.foundation.database import db
from core.foundation.database.rows_beside import RowsBeside
from core.smpp.deliveries import AT_ONCE, LEASE, SHOWN, WAITS, Settlements
from core.smpp.models import SmppReceipt

KEEP = timedelta(hours=150)
"""How long a receipt waits for the end of its message."""

ALL, FAILURES, SUCCESS = 1, 2, 3
"""What may be wanted: the lowest two bits of registered_delivery."""


@dataclass(frozen=True, slots=True)
class WantedReceipt:
    """A receipt that a client wants. `part_id`: by which it knows a part of the message; None: for the
    message itself.
    """

    part_id: str | None
    wanted: int
    source: str
    destination: str
    user_reference: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SentBySmpp:
    """What a send by SMPP has besides: the account, and the receipts that are wanted of it. `valid_until`:
    it is not sent after that.
    """

    account_id: str
    receipts: tuple[WantedReceipt, ...] = ()
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueReceipt:
    """A receipt to be delivered now."""

    id: str
    account_id: str
    source: str
    destination: str
    user_reference: int | None
    status: str
    reason: str | None
    created_at: datetime
    done_at: datetime
    attempts: int


@dataclass(frozen=True, slots=True)
class _ReceiptsBeside(RowsBeside):
    """As many as are wanted of a message, whatever their number: they travel as one value."""

    def insert_sql(self, given: str) -> str:
        return WANT.format(given=given)


def receipts_beside(sent: SentBySmpp) -> tuple[dict[str, Any]]:
    """The receipts that are wanted of a message, as RECEIPTS_BESIDE writes them."""
    return (
        {
            "account_id": sent.account_id,
            "wanted": [{**asdict(one), "at": one.at.isoformat()} for one in sent.receipts],
        },
    )


async def take_back_receipts(message_ids: Sequence[str]) -> None:
    """Their sends were refused after all, in the transaction around: nobody knows these messages."""
    await db.execute_for(message_ids, TAKE_BACK, list(message_ids))


async def want_instead(row: db.Row, wanted: int, *, at: datetime) -> None:
    """A client wants another receipt of a message that waits, or none (0); those of its parts stay."""
    if wanted:
        await db.execute(WANT_INSTEAD, row["id"], wanted, at)
    else:
        wanted_before = SmppReceipt.filter(id=row["id"], organization_id=row["organization_id"])
        await wanted_before.delete()


async def note_ends(rows: Sequence[db.Row], *, at: datetime) -> None:
    """Messages have come to these states, in the transaction around: what is wanted of them is due."""
    ends = [
        (row["id"], row["status"], row["reason"], row["delivered_at"] or row["failed_at"] or at)
        for row in rows
    ]
    # A client is told in real time, whatever the clock of its sandbox shows.
    await db.execute_for(ends, END, *db.columns(ends, 4), real_time(at))


async def claim_receipts(
    account_ids: Sequence[str], *, at: datetime, limit: int
) -> list[DueReceipt]:
    """Receipts that are due for these accounts, the oldest first; nobody else's for a minute."""
    rows = await db.fetch(CLAIM, list(account_ids), at, limit, at + LEASE)
    found = [DueReceipt(**dict(row)) for row in rows]
    return sorted(found, key=lambda one: (one.done_at, one.id))


async def forget_receipts(*, at: datetime) -> int:
    """Those that nobody has taken in three days expire: answers how many. They are deleted after a
    week; those that nobody wants or of whose messages nothing was heard, sooner.
    """
    expired = await db.execute(EXPIRE, at - WAITS, at, AT_ONCE)
    await db.execute(FORGET, at - WAITS, at - SHOWN, at - KEEP, AT_ONCE)
    return expired


WANT = """
    INSERT INTO smpp_receipts (message_id, organization_id, env, id, account_id, wanted, source, destination,
                               user_reference, created_at)
    SELECT g.message_id, g.organization_id, g.env, coalesce(w.part_id, g.message_id), g.receipts ->> 'account_id', w.wanted,
           w.source, w.destination, w.user_reference, w.at
    FROM ({given}) AS g
    CROSS JOIN LATERAL jsonb_to_recordset(g.receipts -> 'wanted') AS w (
        part_id text, wanted smallint, source text, destination text, user_reference int, at timestamptz)
    ON CONFLICT (id) DO NOTHING"""

RECEIPTS_BESIDE = _ReceiptsBeside("smpp_receipts", (("receipts", "jsonb"),))
"""Receipts, written by the statement that accepts their messages."""

WANT_INSTEAD = """
INSERT INTO smpp_receipts (message_id, organization_id, env, id, account_id, wanted, source, destination, created_at)
SELECT id, organization_id, env, id, smpp_account_id, $2, coalesce(sender_id, ''), ltrim(recipient, '+'), $3
FROM messages WHERE id = $1
ON CONFLICT (id) DO UPDATE SET wanted = excluded.wanted WHERE smpp_receipts.organization_id = excluded.organization_id
"""

TAKE_BACK = "DELETE FROM smpp_receipts WHERE message_id = ANY ($1)"

END = f"""
UPDATE smpp_receipts r
SET status = e.status, reason = e.reason, done_at = e.done_at, attempts = 0, given_up_at = NULL, expired_at = NULL,
    due_at = CASE WHEN r.wanted = {ALL} OR (r.wanted = {FAILURES} AND e.status <> 'delivered')
                    OR (r.wanted = {SUCCESS} AND e.status = 'delivered') THEN $5::timestamptz END
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS e (id, status, reason, done_at)
WHERE r.message_id = e.id AND r.status IS DISTINCT FROM e.status
"""

CLAIM = """
UPDATE smpp_receipts r SET due_at = $4, attempts = r.attempts + 1
FROM (
    SELECT id FROM smpp_receipts WHERE account_id = ANY ($1) AND due_at <= $2
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
) AS due
WHERE r.id = due.id
RETURNING r.id, r.account_id, r.source, r.destination, r.user_reference, r.status, r.reason, r.created_at,
          r.done_at, r.attempts
"""

MARK_DEAD = """
UPDATE smpp_receipts SET due_at = NULL, given_up_at = $2 WHERE id = ANY ($1) AND expired_at IS NULL
"""
"""Not deleted yet: they may be replayed."""

LATER = """
UPDATE smpp_receipts r SET due_at = l.due_at
FROM unnest($1::text[], $2::timestamptz[]) AS l (id, due_at) WHERE r.id = l.id AND r.expired_at IS NULL
"""

SETTLE = Settlements("DELETE FROM smpp_receipts WHERE id = ANY ($1)", MARK_DEAD, LATER)
settle_receipts = SETTLE.settle

EXPIRE = """
UPDATE smpp_receipts SET expired_at = $2, due_at = NULL WHERE expired_at IS NULL AND id = ANY (ARRAY(
    SELECT id FROM smpp_receipts WHERE created_at < $1 AND done_at < $1 AND expired_at IS NULL
      AND (due_at IS NOT NULL OR given_up_at IS NOT NULL)
    LIMIT $3))
"""
"""A message has ended after it was written: the index by that time tells which may be old."""

FORGET = """
DELETE FROM smpp_receipts WHERE id = ANY (ARRAY(
    SELECT id FROM smpp_receipts WHERE created_at < $1 AND (
        expired_at < $2 OR (done_at IS NULL AND created_at < $3)
        OR (done_at < $1 AND due_at IS NULL AND given_up_at IS NULL AND expired_at IS NULL))
    LIMIT $4))
"""
