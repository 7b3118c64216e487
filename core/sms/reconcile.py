"""Reconciliation of live SMS whose outcome is unknown.

The request that sent them died, or their provider did not answer: the provider is asked, and what
it does not know is handed over again where that is safe.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from core import messaging
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messaging import Channel, Status
from core.providers.contracts import Answer, DeliveryReport, Lookup, MessageFound, MessageNotFound
from core.sms.hand_over_again import hand_over_again
from core.sms.settle import SmsSettlement, settle

STUCK_BATCH_SIZE = 50


async def reconcile(*, at: datetime) -> int:
    """Settle what is due: ask about `sending` messages, release what was held for three days.
    Answers how many.
    """
    rows = await messaging.claim_due(Channel.SMS, at=at, limit=STUCK_BATCH_SIZE)
    unsettled = [row for row in rows if row["status"] == Status.SENDING]
    async with messaging.leased(rows).kept():
        found = await asyncio.gather(*(messaging.ask(row) for row in unsettled))
        answers = list(zip(unsettled, found, strict=True))
        unknown = [row for row, answer in answers if isinstance(answer, MessageNotFound)]
        again = await hand_over_again(unknown, at=at)
    await _settle(answers, again, at=at)
    await _apply_ends(answers, at=at)
    await _release_expired([row["id"] for row in rows if row["status"] == Status.FAILED], at=at)
    return len(rows)


async def _settle(
    answers: Sequence[tuple[db.Row, Lookup]], again: dict[str, Answer], *, at: datetime
) -> None:
    """Settle by what the provider says now, of those whose end it does not know."""
    settlements = [
        SmsSettlement(
            row["id"],
            (row["organization_id"], row["env"]),
            again.get(row["id"]) or messaging.verdict_of(answer, since=row["created_at"], at=at),
            at,
        )
        for row, answer in answers
        if not _is_end(answer)
    ]
    if settlements:
        await settle(settlements)


async def _apply_ends(answers: Sequence[tuple[db.Row, Lookup]], *, at: datetime) -> None:
    for row, answer in answers:
        if isinstance(answer, MessageFound) and _is_end(answer):
            await _apply_end(row, answer, at=at)


async def _release_expired(failed: Sequence[str], *, at: datetime) -> None:
    """Give back what indeterminate messages held until now."""
    async with transaction():
        over = await db.fetch(
            "SELECT * FROM messages WHERE id = ANY ($1) AND status = 'failed' AND settle_at IS NOT NULL "
            "ORDER BY id FOR UPDATE",
            failed,
        )
        await messaging.release_expired_holds(over, at=at)


def _is_end(answer: Lookup) -> bool:
    return isinstance(answer, MessageFound) and answer.status != "sent"


async def _apply_end(row: db.Row, found: MessageFound, *, at: datetime) -> None:
    """A provider that was asked may know the end already: that is a report, and accepts the message
    as any other.
    """
    provider_receipt = {
        "id": found.reference,
        "type": "api_message",
        "to": row["recipient"],
        "reference": row["id"],
        "status": found.status,
        "statusDescription": "MessageFound by asking the provider",
        "channel": Channel.SMS.upper(),
    }
    assert found.status != "sent"
    report = DeliveryReport(
        row["id"], found.reference, found.status, found.reason, at, provider_receipt
    )
    await messaging.receive_reports(row["organization_id"], row["provider"], [report], at=at)
