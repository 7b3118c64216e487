"""Reconciliation of RCS messages: no answer, on their way as SMS, or never reported on."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import structlog

from core import messaging
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messaging import Channel, Status
from core.providers.contracts import DeliveryReport, MessageFound, MessageNotFound
from core.rcs.delivery_reports.effects import NO_RCS
from core.rcs.fallback import go_on
from core.rcs.hand_over import settle_answer
from core.rcs.hand_over_again import hand_over_again
from core.rcs.price import give_back, pay

STUCK_BATCH_SIZE = 50

log = structlog.get_logger()


async def reconcile(*, at: datetime) -> int:
    """Settle what is due. Answers how many messages it looked at. One that fails does not hold up
    the others.
    """
    rows = await messaging.claim_due(Channel.RCS, at=at, limit=STUCK_BATCH_SIZE)
    asked = [row for row in rows if row["status"] == Status.QUEUED]
    diverted = [
        row
        for row in rows
        if row["status"] == Status.SENT and row["reason"] == NO_RCS and row["path"] is None
    ]
    async with messaging.leased(rows).kept():
        outcomes = await asyncio.gather(
            *(_settle_asked(row, at=at) for row in asked),
            *(go_on(row, at=at) for row in diverted),
            return_exceptions=True,
        )
    for row, outcome in zip([*asked, *diverted], outcomes, strict=True):
        if isinstance(outcome, Exception):
            log.warning("rcs_unsettled", message_id=row["id"], error=type(outcome).__name__)
    known = {row["id"] for row in [*asked, *diverted]}
    await _close([row["id"] for row in rows if row["id"] not in known], at=at)
    return len(rows)


async def _settle_asked(row: db.Row, *, at: datetime) -> None:
    found = await messaging.ask(row)
    if isinstance(found, MessageFound) and found.status != "sent":
        await messaging.receive_reports(
            row["organization_id"], row["provider"], [_report_of_found(row, found, at=at)], at=at
        )
        return
    again = await hand_over_again(row, at=at) if isinstance(found, MessageNotFound) else None
    verdict = again or messaging.verdict_of(found, since=row["created_at"], at=at)
    await settle_answer(row["id"], verdict, has_fallback=row["fallback"] is not None, at=at)


def _report_of_found(row: db.Row, found: MessageFound, *, at: datetime) -> DeliveryReport:
    """A provider that was asked may know the end already: that is a report as any other."""
    assert found.status != "sent"
    receipt = {
        "id": found.reference,
        "type": "api_message",
        "to": row["recipient"],
        "reference": row["id"],
        "status": found.status,
        "statusDescription": "MessageFound by asking the provider",
    }
    if found.path is not None:
        receipt["channel"] = found.path.upper()
    return DeliveryReport(row["id"], found.reference, found.status, found.reason, at, receipt)


async def _close(ids: Sequence[str], *, at: datetime) -> None:
    """Messages of which nobody told in three days which way they took: those that failed give back
    what is still held, the others are taken for delivered by RCS.
    """
    if not ids:
        return
    async with transaction():
        rows = await db.fetch(
            "SELECT * FROM messages WHERE id = ANY ($1) AND settle_at IS NOT NULL ORDER BY id FOR UPDATE",
            ids,
        )
        await give_back([row for row in rows if row["status"] == Status.FAILED], at=at)
        await pay(
            [row for row in rows if row["status"] in (Status.SENT, Status.DELIVERED, Status.READ)],
            at=at,
        )
