"""Settling e-mails that were handed over: price, status, suppression, event, outbox row.

Only a message that is still queued is settled, under its row lock: whoever comes second changes
nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core import wallet
from core.email.events import publish_moves
from core.email.retry_policy import next_attempt
from core.email.suppression import SUPPRESSED, Suppression, suppress
from core.foundation.database import db
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.settings import current
from core.messaging import Status, announce_messages, count_moved
from core.providers.email import EmailAccepted, EmailDeferred, EmailOutcomeUnknown, EmailRefused

HARD = "invalid_address"
"""The reason of an e-mail whose address does not work and never will."""


@dataclass(frozen=True, slots=True)
class EmailStopped:
    """Not handed over at all: its recipient must not get it any more, or the e-mail is gone."""

    reason: str = SUPPRESSED


EmailOutcome = EmailAccepted | EmailRefused | EmailDeferred | EmailOutcomeUnknown | EmailStopped


@dataclass(frozen=True, slots=True)
class EmailSettlement:
    """One message and what became of its e-mail."""

    message_id: str
    outcome: EmailOutcome
    at: datetime


@dataclass(frozen=True, slots=True)
class EmailEnd:
    status: Status
    reason: str | None = None
    next_attempt: datetime | None = None


async def settle(settlements: Sequence[EmailSettlement]) -> list[Exception | None]:
    """Settle messages in one transaction."""
    at = max(settlement.at for settlement in settlements)
    async with transaction():
        rows: dict[str, db.Row] = {
            row["id"]: row
            for row in await db.fetch(LOCK, [settlement.message_id for settlement in settlements])
            if row["status"] == Status.QUEUED
        }
        ends = {
            s.message_id: _end(s.outcome, rows[s.message_id], at=at)
            for s in settlements
            if s.message_id in rows
        }
        await _pay(rows, ends, at=at)
        moved = await db.fetch(
            MOVE,
            *db.columns(
                [(id, end.status, end.reason, end.next_attempt) for id, end in ends.items()],
                4,
            ),
            at,
        )
        over = [row for row in moved if row["status"] != Status.QUEUED]
        await delete_from_outbox([row["id"] for row in over])
        await suppress(
            [
                Suppression(row["organization_id"], row["env"], row["recipient"], HARD, row["id"])
                for row in over
                if row["reason"] == HARD
            ],
            at=at,
        )
        await publish_moves(over, at=at)
        await announce_messages(over)
        await after_commit(partial(_count, over))
    return [None for _ in settlements]


async def _count(moved: Sequence[db.Row]) -> None:
    for row in moved:
        count_moved(row["channel"], row["env"], row["status"])


def _end(outcome: EmailOutcome, row: db.Row, *, at: datetime) -> EmailEnd:
    match outcome:
        case EmailAccepted() | EmailOutcomeUnknown():
            # Unknown: the whole e-mail was transmitted, so it has most likely left; it is never
            # transmitted again.
            return EmailEnd(Status.SENT)
        case EmailRefused(reason=reason) | EmailStopped(reason=reason):
            return EmailEnd(Status.FAILED, reason)
        case EmailDeferred(reason=reason):
            again = next_attempt(row["created_at"], at=at)
            return (
                EmailEnd(Status.FAILED, reason)
                if again is None
                else EmailEnd(Status.QUEUED, None, again)
            )


async def _pay(rows: dict[str, db.Row], ends: dict[str, EmailEnd], *, at: datetime) -> None:
    """Capture what left, release what will not."""
    if not current().charges:
        return
    transfers = []
    for id, end in ends.items():
        row = rows[id]
        money = ((row["organization_id"], row["env"]), id, row["coins"], row["request_id"])
        if end.status is Status.SENT:
            transfers.append(wallet.capture(*money))
        elif end.status is Status.FAILED:
            transfers.append(wallet.release(*money))
    if transfers:
        await wallet.lock_balances(
            {(transfer.organization_id, transfer.env) for transfer in transfers}
        )
        await wallet.warn(await wallet.book(transfers, at=at), at=at)


async def delete_from_outbox(ids: Sequence[str]) -> None:
    """The outcome of these messages is known: their e-mails go."""
    if ids:
        await db.execute("DELETE FROM email_letters WHERE message_id = ANY ($1)", list(ids))


LOCK = "SELECT * FROM messages WHERE id = ANY ($1) AND channel = 'email' ORDER BY id FOR UPDATE"

# What is put off has not left after all: the mark of its hand-over goes.
MOVE = """
UPDATE messages m
SET status = s.status, reason = s.reason, settle_at = s.next_attempt,
    coins = CASE WHEN s.status = 'failed' THEN 0 ELSE m.coins END,
    provider_reference = CASE WHEN s.status = 'queued' THEN NULL ELSE m.provider_reference END,
    sent_at = CASE WHEN s.status = 'sent' THEN $5 ELSE m.sent_at END,
    failed_at = CASE WHEN s.status = 'failed' THEN $5 ELSE m.failed_at END,
    updated_at = $5
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS s (id, status, reason, next_attempt)
WHERE m.id = s.id
RETURNING m.*
"""
