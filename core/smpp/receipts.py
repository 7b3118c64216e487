"""Receipts: wanted for what a client was told by an id, due once its message has ended, delivered to any
receiver of the account, again after a lost connection, for three days.

A receipt is asked for when the message is accepted, before the client knows of it; a message that has
ended in between is looked at under its lock, so that none of them is missed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.smpp.sign_in import SmppClient

LEASE = timedelta(seconds=60)
"""How long a receipt that is being delivered is nobody else's."""
KEEP_ENDED, KEEP = timedelta(hours=72), timedelta(hours=150)
"""How long a receipt waits for a receiver, and how long for the end of its message."""
RETRIES = tuple(timedelta(seconds=seconds) for seconds in (1, 5, 30, 120, 600))
MAX_REFUSALS = 3

ALL, FAILURES, SUCCESS = 1, 2, 3
"""What may be wanted: the lowest two bits of registered_delivery."""


class Ended(StrEnum):
    """What became of the delivery of a receipt."""

    TAKEN = "taken"
    LATER = "later"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class WantedReceipt:
    """A receipt that a client wants. `id`: by which it knows the message, or a part of it."""

    client: SmppClient
    id: str
    message_id: str
    wanted: int
    source: str
    destination: str
    user_reference: int | None
    at: datetime


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


async def _want(wanted: Sequence[WantedReceipt]) -> list[Exception | None]:
    rows = [
        (
            one.id,
            one.client.caller.organization_id,
            one.client.caller.env,
            one.client.account.id,
            one.message_id,
            one.wanted,
            one.source,
            one.destination,
            one.user_reference,
            one.at,
        )
        for one in wanted
    ]
    await db.execute(WANT, *db.columns(rows, 10))
    # After the commit: whoever ends a message from now on sees the rows; whoever is ending it holds
    # its lock.
    await db.execute(LOOK, [one.message_id for one in wanted])
    return [None] * len(wanted)


_wanted: Combiner[WantedReceipt, None] = Combiner(_want, most=256, lanes=2)


async def want_receipts(wanted: Sequence[WantedReceipt]) -> None:
    """Ask for receipts; those that are asked for already stay as they are."""
    for one in wanted:
        await _wanted.submit(one)


async def note_ends(rows: Sequence[db.Row], *, at: datetime) -> None:
    """Messages have come to these states, in the transaction around: what is wanted of them is due."""
    if rows:
        ends = [
            (row["id"], row["status"], row["reason"], row["delivered_at"] or row["failed_at"] or at)
            for row in rows
        ]
        await db.execute(END, *db.columns(ends, 4), at)


async def claim_receipts(
    account_ids: Sequence[str], *, at: datetime, limit: int
) -> list[DueReceipt]:
    """Receipts that are due for these accounts, the oldest first; nobody else's for a minute."""
    rows = await db.fetch(CLAIM, list(account_ids), at, limit, at + LEASE)
    found = [DueReceipt(**dict(row)) for row in rows]
    return sorted(found, key=lambda one: (one.done_at, one.id))


async def settle_receipts(
    outcomes: Sequence[tuple[DueReceipt, Ended]], *, at: datetime
) -> list[DueReceipt]:
    """Forget those that were taken, put the others off. Answers those that are given up."""
    given_up = [
        one for one, ended in outcomes if ended is Ended.REFUSED and one.attempts >= MAX_REFUSALS
    ]
    over = [one.id for one, ended in outcomes if ended is Ended.TAKEN]
    over += [one.id for one in given_up]
    if over:
        await db.execute("DELETE FROM smpp_receipts WHERE id = ANY ($1)", over)
    later = [
        (one.id, at + RETRIES[min(one.attempts, len(RETRIES)) - 1])
        for one, ended in outcomes
        if one.id not in set(over) and ended is not Ended.TAKEN
    ]
    if later:
        await db.execute(LATER, *db.columns(later, 2))
    return given_up


async def forget_receipts(*, at: datetime) -> None:
    """Those that nobody has taken in three days, and those of messages of which nothing was heard."""
    await db.execute(
        "DELETE FROM smpp_receipts WHERE done_at < $1 OR created_at < $2",
        at - KEEP_ENDED,
        at - KEEP,
    )


_DUE = f"""
CASE WHEN r.wanted = {ALL} OR (r.wanted = {FAILURES} AND {{status}} <> 'delivered')
       OR (r.wanted = {SUCCESS} AND {{status}} = 'delivered') THEN {{at}} END
"""

WANT = """
INSERT INTO smpp_receipts (id, organization_id, env, account_id, message_id, wanted, source, destination,
                           user_reference, created_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::text[],
                     $8::text[], $9::int[], $10::timestamptz[])
ON CONFLICT (id) DO NOTHING
"""

LOOK = f"""
WITH ended AS (
    SELECT id, status, reason, coalesce(delivered_at, failed_at, updated_at) AS done_at FROM messages
    WHERE id = ANY ($1) ORDER BY id FOR SHARE
)
UPDATE smpp_receipts r
SET status = e.status, reason = e.reason, done_at = e.done_at, due_at = {_DUE.format(status="e.status", at="now()")}
FROM ended e
WHERE r.message_id = e.id AND r.status IS NULL AND e.status IN ('delivered', 'undelivered', 'failed')
"""

END = f"""
UPDATE smpp_receipts r
SET status = e.status, reason = e.reason, done_at = e.done_at, attempts = 0,
    due_at = {_DUE.format(status="e.status", at="$5::timestamptz")}
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

LATER = """
UPDATE smpp_receipts r SET due_at = l.due_at
FROM unnest($1::text[], $2::timestamptz[]) AS l (id, due_at) WHERE r.id = l.id
"""
