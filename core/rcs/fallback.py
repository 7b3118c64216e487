"""The SMS fallback of an RCS message whose recipient has no RCS.

`fallback.handedAt` is written before it is handed over: whoever finds it later asks the provider,
and hands it over again only where the provider promises to take it once.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from core import messaging
from core.foundation.database.transactions import transaction
from core.messaging import (
    Channel,
    Indeterminate,
    PhoneVerdict,
    Status,
    StoredMessage,
    fetch_message,
    timeouts,
)
from core.providers import registry
from core.providers.contracts import (
    FALLBACK,
    Accepted,
    Failed,
    MessageFound,
    MessageNotFound,
    Refused,
    Throttled,
    Unknown,
)
from core.rcs.delivery_reports.effects import NO_RCS
from core.rcs.delivery_reports.events import publish_status_events
from core.rcs.outgoing import MARKETING_ROUTE, stand_in_of
from core.rcs.price import give_back, pay
from core.rcs.validity import EXPIRED, VALIDITY


def _stand_in_of(row: StoredMessage) -> Mapping[str, Any]:
    assert row["fallback"] is not None, "only such a message is diverted"
    return row["fallback"]


def _handed_at(row: StoredMessage) -> datetime:
    return datetime.fromisoformat(_stand_in_of(row)["handedAt"])


REPEATABLE = messaging.Repeatable(
    Channel.RCS, Status.SENT, MARKETING_ROUTE, stand_in_of, since=_handed_at
)


def is_diverted(row: StoredMessage) -> bool:
    """Whether the phone takes no RCS, and nobody knows yet what became of the SMS."""
    return bool(row["status"] == Status.SENT and row["reason"] == NO_RCS and row["path"] is None)


async def go_on(row: StoredMessage, *, at: datetime) -> None:
    """Hand the SMS of a diverted message over, or ask what became of it."""
    if _stand_in_of(row).get("handedAt") is None:
        await _hand_over(row, at=at)
        return
    found = await messaging.ask(row, id=row["id"] + FALLBACK)
    if isinstance(found, MessageFound) and found.status != "sent":
        report = messaging.report_of_end(row, found, Channel.SMS, at=at)
        await messaging.receive_reports(
            row["organization_id"],
            row["provider"] or "",
            [replace(report, of_fallback=True)],
            at=at,
        )
    else:
        unknown = [row] if isinstance(found, MessageNotFound) else []
        again = await messaging.hand_over_again(REPEATABLE, unknown, at=at)
        verdict = messaging.verdict_of(found, since=_handed_at(row), at=at)
        await _settle(row, again.get(row["id"]) or verdict, at=at)


async def _hand_over(row: StoredMessage, *, at: datetime) -> None:
    provider = registry.named(row["provider"] or "")
    if provider is None or "text" not in _stand_in_of(row):
        # Without a provider it is tried again; without a text, which went with its contact, nothing
        # can leave.
        verdict = Failed() if "text" in _stand_in_of(row) else Refused("no_rcs")
        await _settle(row, verdict, at=at)
    elif await messaging.begin_stand_in(row, reason=NO_RCS, at=at):
        await _settle(row, await provider.send(stand_in_of(row)), at=at)


async def _settle(sent: StoredMessage, verdict: PhoneVerdict, *, at: datetime) -> None:
    """Settle by what the provider answered, unless a report came before."""
    async with transaction():
        row = await fetch_message(LOCK, sent["id"], sent["organization_id"])
        if row is None or not is_diverted(row):
            return
        match messaging.as_one_attempt(verdict, row):
            case Accepted(reference=reference):
                left = await messaging.accept_stand_in(row, reference or None, path="sms", at=at)
                await pay([left], at=at)
            case Refused(reason=reason):
                failed = await _fail(row, NO_RCS if reason == NO_RCS else "rejected", at=at)
                await give_back([failed], at=at)
            case Unknown():
                await messaging.look_again(row, at + timeouts.RECONCILE_INTERVAL)
            case Indeterminate():
                await _fail(row, messaging.INDETERMINATE, hold=timeouts.HOLD_TTL, at=at)
            case _ if at - messaging.since_of(row) >= VALIDITY[row["route"] or ""]:
                failed = await _fail(row, EXPIRED, at=at)
                await give_back([failed], at=at)
            case Throttled(retry_after=seconds):
                await messaging.put_stand_in_off(row, at + timedelta(seconds=seconds))
            case _:
                await messaging.put_stand_in_off(row, at + timeouts.RETRY_INTERVAL)


async def _fail(
    row: StoredMessage, reason: str, *, hold: timedelta | None = None, at: datetime
) -> StoredMessage:
    """`hold`: how long its price stays held."""
    settle_at = row["settle_at"] if hold is None else at + hold
    path = None if reason == NO_RCS else "sms"
    failed = await messaging.fail_stand_in(row, reason, path, settle_at=settle_at, at=at)
    await messaging.announce_messages([failed])
    await publish_status_events([failed], at)
    return failed


LOCK = "SELECT * FROM messages WHERE id = $1 AND organization_id = $2 FOR UPDATE"
