"""The sweep of live messages whose request died or whose outcome is unknown: the provider is asked,
and what it does not know is handed over again where that is safe.
"""

import asyncio
from datetime import datetime

from core import messages
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messages import Channel, Status, sending
from core.providers.contracts import Found, Lookup, NotFound, Receipt
from core.sms.hand_over_again import hand_over_again
from core.sms.settle import Settlement, settle

BATCH = 50


async def settle_forgotten(*, at: datetime) -> int:
    """Settle what is due: ask about `sending` messages, release what was held for three days.
    Answers how many.
    """
    rows = await sending.claim_due(Channel.SMS, at=at, limit=BATCH)
    asked = [row for row in rows if row["status"] == Status.SENDING]
    async with sending.leased(rows).kept():
        answers = list(
            zip(asked, await asyncio.gather(*(sending.ask(row) for row in asked)), strict=True)
        )
        again = await hand_over_again(
            [row for row, answer in answers if isinstance(answer, NotFound)], at=at
        )
    verdicts = [
        Settlement(
            row["id"],
            (row["organization_id"], row["env"]),
            again.get(row["id"]) or sending.verdict_of(answer, since=row["created_at"], at=at),
            at,
        )
        for row, answer in answers
        if not _is_end(answer)
    ]
    if verdicts:
        await settle(verdicts)
    for row, answer in answers:
        if isinstance(answer, Found) and _is_end(answer):
            await _apply_end(row, answer, at=at)
    async with transaction():
        over = await db.fetch(
            "SELECT * FROM messages WHERE id = ANY ($1) AND status = 'failed' AND settle_at IS NOT NULL "
            "ORDER BY id FOR UPDATE",
            [row["id"] for row in rows if row["status"] == Status.FAILED],
        )
        await sending.release_forgotten(over, at=at)
    return len(rows)


def _is_end(answer: Lookup) -> bool:
    return isinstance(answer, Found) and answer.status != "sent"


async def _apply_end(row: db.Row, found: Found, *, at: datetime) -> None:
    """A provider that was asked may know the end already: that is a report, and accepts the message
    as any other.
    """
    provider_receipt = {
        "id": found.reference,
        "type": "api_message",
        "to": row["recipient"],
        "reference": row["id"],
        "status": found.status,
        "statusDescription": "Found by asking the provider",
        "channel": Channel.SMS.upper(),
    }
    assert found.status != "sent"
    receipt = Receipt(row["id"], found.reference, found.status, found.reason, at, provider_receipt)
    await messages.receive_receipts(row["organization_id"], row["provider"], [receipt], at=at)
