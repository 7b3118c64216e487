"""The SMS fallback of an RCS message whose recipient has no RCS.

`fallback.handedAt` is written before it is handed over: whoever finds it later asks the provider,
and hands it over again only where the provider promises to take it once.
"""

from datetime import datetime, timedelta

from core import messaging
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messaging import Channel, Status
from core.providers import registry
from core.providers.contracts import (
    FALLBACK,
    Accepted,
    DeliveryReport,
    Failed,
    MessageFound,
    MessageNotFound,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from core.rcs.delivery_reports.effects import NO_RCS
from core.rcs.delivery_reports.events import publish_status_events
from core.rcs.hand_over_again import hand_stand_in_over_again
from core.rcs.outgoing import stand_in_of
from core.rcs.price import give_back, pay

RETRY_INTERVAL = timedelta(seconds=60)
RECONCILE_INTERVAL = timedelta(seconds=10)
HOLD_TTL = timedelta(hours=72)
VALIDITY = {"easy_rcs": timedelta(hours=4), "easy_otp_rcs": timedelta(minutes=10)}
"""How long a provider that takes no SMS is tried, as for an SMS that waits."""


async def go_on(row: db.Row, *, at: datetime) -> None:
    """Hand the SMS of a diverted message over, or ask what became of it."""
    handed_at = row["fallback"].get("handedAt")
    if handed_at is None:
        await _hand_over(row, at=at)
        return
    found = await messaging.ask(row, id=row["id"] + FALLBACK)
    if isinstance(found, MessageFound) and found.status != "sent":
        await messaging.receive_reports(
            row["organization_id"], row["provider"], [_end(row, found, at=at)], at=at
        )
    else:
        since = datetime.fromisoformat(handed_at)
        unknown = isinstance(found, MessageNotFound)
        again = await hand_stand_in_over_again(row, since=since, at=at) if unknown else None
        await _settle(row["id"], again or messaging.verdict_of(found, since=since, at=at), at=at)


async def _hand_over(row: db.Row, *, at: datetime) -> None:
    provider = registry.named(row["provider"])
    if provider is None or "text" not in row["fallback"]:
        # Without a provider it is tried again; without a text, which went with its contact, nothing
        # can leave.
        await _settle(
            row["id"], Failed() if "text" in row["fallback"] else Refused("no_rcs"), at=at
        )
        return
    if not await _claim(row["id"], at=at):
        return
    await _settle(row["id"], await provider.send(stand_in_of(row)), at=at)


async def _claim(id: str, *, at: datetime) -> bool:
    """Mark that the SMS is being handed over. False: a report has ended the matter."""
    return bool(await db.execute(CLAIM, id, NO_RCS, {"handedAt": wire_time(at)}))


async def _settle(id: str, verdict: messaging.Verdict, *, at: datetime) -> None:
    """Settle by what the provider answered, unless a report came before."""
    async with transaction():
        row = await db.fetchrow("SELECT * FROM messages WHERE id = $1 FOR UPDATE", id)
        if (
            row is None
            or row["status"] != Status.SENT
            or row["reason"] != NO_RCS
            or row["path"] is not None
        ):
            return
        verdict = messaging.as_one_attempt(verdict, row)
        match verdict:
            case Accepted(reference=reference):
                left = await _write(id, ACCEPTED, reference or None, at)
                await pay([left], at=at)
            case Refused(reason=reason):
                failed = await _fail(
                    id,
                    NO_RCS if reason == NO_RCS else "rejected",
                    settle_at=row["settle_at"],
                    at=at,
                )
                await give_back([failed], at=at)
            case Unknown():
                await db.execute(
                    "UPDATE messages SET settle_at = $2 WHERE id = $1", id, at + RECONCILE_INTERVAL
                )
            case messaging.Indeterminate():
                await _fail(id, "indeterminate", settle_at=at + HOLD_TTL, at=at)
            case _ if at - row["created_at"] >= VALIDITY[row["route"]]:
                failed = await _fail(id, "expired", settle_at=row["settle_at"], at=at)
                await give_back([failed], at=at)
            case Throttled(retry_after=seconds):
                await db.execute(NOT_TAKEN, id, at + timedelta(seconds=seconds))
            case Failed() | OutOfCredit() | _:
                await db.execute(NOT_TAKEN, id, at + RETRY_INTERVAL)


async def _fail(id: str, reason: str, *, settle_at: datetime, at: datetime) -> db.Row:
    row = await _write(id, FAILED, reason, settle_at, at)
    await messaging.announce_messages([row])
    await publish_status_events([row], at)
    return row


async def _write(id: str, statement: str, *values: object) -> db.Row:
    row = await db.fetchrow(statement, id, *values)
    assert row is not None, "it is locked"
    return row


def _end(row: db.Row, found: MessageFound, *, at: datetime) -> DeliveryReport:
    """A provider that was asked may know the end already: that is a report as any other."""
    assert found.status != "sent"
    receipt = {
        "id": found.reference,
        "type": "api_message",
        "to": row["recipient"],
        "reference": row["id"],
        "status": found.status,
        "statusDescription": "MessageFound by asking the provider",
        "channel": Channel.SMS.upper(),
    }
    return DeliveryReport(
        row["id"], found.reference, found.status, found.reason, at, receipt, of_fallback=True
    )


CLAIM = """
UPDATE messages SET fallback = fallback || $3::jsonb, attempts = NULL
WHERE id = $1 AND status = 'sent' AND reason = $2 AND path IS NULL AND NOT fallback ? 'handedAt'
"""

ACCEPTED = """
UPDATE messages SET path = 'sms', reason = NULL, provider_reference = coalesce($2, provider_reference), updated_at = $3
WHERE id = $1 RETURNING *
"""

FAILED = """
UPDATE messages SET status = 'failed', reason = $2::text, path = CASE WHEN $2::text = 'no_rcs' THEN NULL ELSE 'sms' END,
    settle_at = $3, failed_at = $4, updated_at = $4
WHERE id = $1 RETURNING *
"""

# Certainly not taken: it may be handed over again.
NOT_TAKEN = "UPDATE messages SET fallback = fallback - 'handedAt', settle_at = $2 WHERE id = $1"
