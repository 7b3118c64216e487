"""The sweep of live messages whose request died or whose outcome is unknown: the provider is asked, never sent to."""

import asyncio
from datetime import datetime, timedelta

from core.foundation import db
from core.foundation.transactions import transaction
from core.messages import Channel, Status
from core.providers import registry
from core.providers.contracts import Accepted, Found, Lookup, LookupFailed, NotFound, Receipt, Unknown
from core.sms.receive_receipts import receive_receipts
from core.sms.settle import Indeterminate, Settlement, Verdict, release_forgotten, settle

BATCH = 50
LEASE = timedelta(seconds=60)
ASK_FOR = timedelta(minutes=10)
"""How long a provider that does not know a message is asked again before the message counts as indeterminate."""
GIVE_UP = timedelta(hours=72)


async def settle_forgotten(*, at: datetime) -> int:
    """Settle what is due: ask about `sending` messages, release what was held for three days. Answers how many."""
    rows = await db.fetch(CLAIM, at, BATCH, at + LEASE)
    asked = [row for row in rows if row["status"] == Status.SENDING]
    answers = list(zip(asked, await asyncio.gather(*(_ask(row) for row in asked)), strict=True))
    verdicts = [
        Settlement(row["id"], (row["organization_id"], row["env"]), _verdict(row, answer, at=at), at)
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
        await release_forgotten(over, at=at)
    return len(rows)


async def _ask(row: db.Row) -> Lookup:
    provider = registry.named(row["provider"])
    return await provider.look_up(row["id"]) if provider else LookupFailed()


def _verdict(row: db.Row, answer: Lookup, *, at: datetime) -> Verdict:
    if isinstance(answer, Found):
        return Accepted(answer.reference)
    # A provider that cannot be asked has not said no: it is asked on, since the message has probably left.
    patience = ASK_FOR if isinstance(answer, NotFound) else GIVE_UP
    return Indeterminate() if at - row["created_at"] >= patience else Unknown()


def _is_end(answer: Lookup) -> bool:
    return isinstance(answer, Found) and answer.status != "sent"


async def _apply_end(row: db.Row, found: Found, *, at: datetime) -> None:
    """A provider that was asked may know the end already: that is a report, and accepts the message as any other."""
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
    await receive_receipts(row["organization_id"], row["provider"], [receipt], at=at)


CLAIM = """
UPDATE messages SET settle_at = $3
WHERE id = ANY (ARRAY(
    SELECT id FROM messages WHERE settle_at <= $1 ORDER BY settle_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING *
"""
