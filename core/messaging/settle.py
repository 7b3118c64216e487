"""Settling a message by its provider's answer: price, status, stored answer, event.

The request that handed it over, the reconciliation sweep, and delivery reports that overtook the answer all
end here. Only a message whose outcome is open is settled, under its row lock: whoever comes second
changes nothing.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

import orjson

from core import idempotency, wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.messaging.announce import announce_messages
from core.messaging.errors import OutcomeUnknown, ProviderOutOfCredit, ProviderRefused
from core.messaging.find import remember_references
from core.messaging.models import Channel, Status
from core.messaging.send_request import Record
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)

RECONCILE_INTERVAL = timedelta(seconds=10)
HOLD_TTL = timedelta(hours=72)
"""How long the price of an indeterminate message stays held, in case a delivery report still comes."""


@dataclass(frozen=True, slots=True)
class Indeterminate:
    """The provider was asked for ten minutes and knows nothing of the message."""


@dataclass(frozen=True, slots=True)
class Diverted:
    """Not taken on this way, and another way takes over: sent, with `reason` as the mark, due at
    once.
    """

    reason: str


Verdict: TypeAlias = Answer | Indeterminate | Diverted


@dataclass(frozen=True, slots=True)
class ChannelPolicy:
    """How a channel's sends are settled.

    `open`: the status of a message whose outcome is not known. `answer`: the unmasked 201 of a row.
    `publish_failed`: the event of a message that its recipient or an unknown outcome ended.
    `captures`: acceptance is what is paid for; otherwise the price stays held. `due_after`: how
    long after acceptance the sweep looks at the message again.
    """

    channel: Channel
    open: Status
    answer: Callable[[db.Row], Record]
    publish_failed: Callable[[Sequence[db.Row], datetime], Awaitable[None]]
    captures: bool = True
    due_after: timedelta | None = None


async def settle(
    policy: ChannelPolicy, message_id: str, verdict: Verdict, *, at: datetime
) -> Record | Exception:
    """Settle one message in a transaction. Answers its record, or the refusal that its caller gets."""
    async with transaction():
        row: db.Row | None = await db.fetchrow(
            "SELECT * FROM messages WHERE id = $1 FOR UPDATE", message_id
        )
        assert row is not None, "a message that was handed over is kept"
        verdict = as_one_attempt(verdict, row)
        if row["status"] == policy.open:
            row = await _move(policy, row, verdict, at=at)
        elif isinstance(verdict, Accepted):
            # A report overtook the answer.
            await remember_references([(message_id, verdict.reference)])
        await _answer_key(policy, row, verdict, at=at)
    return _result(policy, row, verdict)


def as_one_attempt(verdict: Verdict, row: db.Row) -> Verdict:
    """What an answer means for a (locked) message that may have been handed over more than once:
    that one hand-over was not taken says nothing of the others.
    """
    if row["attempts"] and isinstance(verdict, (Throttled, OutOfCredit, Failed)):
        return Unknown()
    return verdict


async def _move(policy: ChannelPolicy, row: db.Row, verdict: Verdict, *, at: datetime) -> db.Row:
    status, reason, settle_at = _state(policy, verdict, at=at)
    void = isinstance(verdict, (Refused, Throttled, OutOfCredit, Failed))
    if void:
        await _book([wallet.release(*_money(row))], at=at)
    elif isinstance(verdict, Accepted) and policy.captures:
        await _book([wallet.capture(*_money(row))], at=at)
    reference = (verdict.reference or None) if isinstance(verdict, Accepted) else None
    moved = await db.fetchrow(MOVE, row["id"], status, reason, reference, settle_at, void, at)
    assert moved is not None
    if moved["status"] != policy.open:
        await announce_messages([moved])
    if isinstance(verdict, (Refused, Indeterminate)):
        await policy.publish_failed([moved], at)
    return moved


def _state(
    policy: ChannelPolicy, verdict: Verdict, *, at: datetime
) -> tuple[Status, str | None, datetime | None]:
    """(status, reason, settle_at)."""
    match verdict:
        case Accepted():
            return Status.SENT, None, at + policy.due_after if policy.due_after else None
        case Diverted(reason=reason):
            return Status.SENT, reason, at
        case Refused(reason=reason):
            return Status.FAILED, reason, None
        case Unknown():
            return policy.open, None, at + RECONCILE_INTERVAL
        case Indeterminate():
            return Status.FAILED, "indeterminate", at + HOLD_TTL
        case _:
            return Status.FAILED, None, None


async def _answer_key(
    policy: ChannelPolicy, row: db.Row, verdict: Verdict, *, at: datetime
) -> None:
    """Store the answer of what stands, free the key of what was refused, open the key of what is
    unknown.
    """
    id = row["id"]
    if _was_refused(row):
        await idempotency.release_many([id])
    elif row["status"] == policy.open or isinstance(verdict, Indeterminate):
        await idempotency.end_leases([id], at=at)
    else:
        await idempotency.answer_many([id], [orjson.dumps(policy.answer(row)).decode()])


def _was_refused(row: db.Row) -> bool:
    """Failed for no reason of the recipient's: the synchronous answer told it, and the key is free."""
    return row["status"] == Status.FAILED and row["reason"] is None


def _result(policy: ChannelPolicy, row: db.Row, verdict: Verdict) -> Record | Exception:
    id = row["id"]
    if row["status"] == policy.open:
        return OutcomeUnknown(id)
    if not _was_refused(row):
        return policy.answer(
            row
        )  # also where the answer was another: a report on the message knows better
    match verdict:
        case Throttled(retry_after=seconds):
            return ProviderOutOfCredit(id, retry_after=seconds)
        case OutOfCredit():
            return ProviderOutOfCredit(id)
    return ProviderRefused(id)


def _money(row: db.Row) -> tuple[wallet.Owner, str, int, str | None]:
    return (row["organization_id"], row["env"]), row["id"], row["coins"], row["request_id"]


async def _book(transfers: Sequence[wallet.Transfer], *, at: datetime) -> None:
    if current().charges:
        await wallet.lock_balances(
            {(transfer.organization_id, transfer.env) for transfer in transfers}
        )
        await wallet.warn(await wallet.book(transfers, at=at), at=at)


MOVE = """
UPDATE messages
SET status = $2::text, reason = $3, provider_reference = coalesce($4, provider_reference), settle_at = $5,
    coins = CASE WHEN $6 THEN 0 ELSE coins END,
    sent_at = CASE WHEN $2::text = 'sent' THEN $7 ELSE sent_at END,
    failed_at = CASE WHEN $2::text = 'failed' THEN $7 ELSE failed_at END, updated_at = $7
WHERE id = $1
RETURNING *
"""


async def release_expired_holds(rows: Sequence[db.Row], *, at: datetime) -> None:
    """Give back what is held for (locked) messages of which nothing was heard in three days."""
    if rows:
        await _book([wallet.release(*_money(row)) for row in rows], at=at)
        await db.execute(
            "UPDATE messages SET settle_at = NULL, coins = 0, updated_at = $2 WHERE id = ANY ($1)",
            [row["id"] for row in rows],
            at,
        )
