"""Settling SMS by their provider's answer, in batches: price, status, stored answer, event.

The requests that handed messages over, reconciliation, and delivery reports that overtook the
answer all end here. Only a message that is still `sending` is settled, under its row lock, so whoever
comes second changes nothing and answers what stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import orjson

from core import idempotency, messaging, wallet, webhooks
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.messaging import Status
from core.providers.contracts import Accepted, Failed, OutOfCredit, Refused, Throttled, Unknown
from core.sms.errors import OutcomeUnknown, ProviderOutOfCredit, ProviderRefused, ProviderThrottled
from core.sms.record import event_data, send_record

RECONCILE_INTERVAL = timedelta(seconds=10)
HOLD_TTL = timedelta(hours=72)
"""How long the price of an indeterminate message stays held, in case a delivery report still comes."""


@dataclass(frozen=True, slots=True)
class SmsSettlement:
    """One message and what the provider said of it."""

    message_id: str
    owner: wallet.Owner
    answer: messaging.Verdict
    at: datetime


async def settle(settlements: Sequence[SmsSettlement]) -> list[dict[str, Any] | Exception]:
    """Settle messages in one transaction. Answers the records of the accepted and of the refused
    recipients; the other outcomes are the refusal that their caller gets.
    """
    at = max(settlement.at for settlement in settlements)
    async with transaction():
        rows = await _lock([settlement.message_id for settlement in settlements])
        settlements = [
            replace(s, answer=messaging.as_one_attempt(s.answer, rows[s.message_id]))
            for s in settlements
        ]
        open_ones = [s for s in settlements if rows[s.message_id]["status"] == Status.SENDING]
        late = [s for s in settlements if rows[s.message_id]["status"] != Status.SENDING]
        prices = await _pay(open_ones, rows, at=at)
        moved = await _move(open_ones, prices, at=at)
        rows |= moved
        await messaging.announce_messages(
            row for row in moved.values() if row["status"] != Status.SENDING
        )
        await _publish_failures(open_ones, moved, at=at)
        await _complete(late, rows)
        await _answer_keys(open_ones, rows, at=at)
    return [_result(settlement, rows[settlement.message_id]) for settlement in settlements]


async def _lock(ids: Sequence[str]) -> dict[str, db.Row]:
    rows = await db.fetch("SELECT * FROM messages WHERE id = ANY ($1) ORDER BY id FOR UPDATE", ids)
    return {row["id"]: row for row in rows}


async def _pay(
    settlements: Sequence[SmsSettlement], rows: dict[str, db.Row], *, at: datetime
) -> dict[str, int]:
    """Capture what was accepted, at the band that holds now but never above the hold; release what
    was refused.

    Answers the final price of each accepted message.
    """
    accepted = [s for s in settlements if isinstance(s.answer, Accepted)]
    refused = [
        s
        for s in settlements
        if not isinstance(s.answer, (Accepted, Unknown, messaging.Indeterminate))
    ]
    prices = await _final_prices(accepted, rows, at=at)
    if not current().charges:
        return prices
    transfers = []
    for settlement in accepted:
        row, price = rows[settlement.message_id], prices[settlement.message_id]
        transfers.append(wallet.capture(settlement.owner, row["id"], price, row["request_id"]))
        transfers.append(
            wallet.release(settlement.owner, row["id"], row["coins"] - price, row["request_id"])
        )
    for settlement in refused:
        row = rows[settlement.message_id]
        transfers.append(
            wallet.release(settlement.owner, row["id"], row["coins"], row["request_id"])
        )
    if transfers:
        await wallet.lock_balances(
            {(transfer.organization_id, transfer.env) for transfer in transfers}
        )
        await wallet.warn(await wallet.book(transfers, at=at), at=at)
    return prices


async def _final_prices(
    accepted: Sequence[SmsSettlement], rows: dict[str, db.Row], *, at: datetime
) -> dict[str, int]:
    """Count the accepted segments into the month's volume, each at the price of its own place in
    it.
    """
    if not accepted:
        return {}
    routes = {s.message_id: (s.owner[0], rows[s.message_id]["route"]) for s in accepted}
    rates = await wallet.read_rates(routes.values(), at=at, lock=True)
    prices, volumes = {}, dict[tuple[str, str], int]()
    for settlement in accepted:
        row, route = rows[settlement.message_id], routes[settlement.message_id]
        rate = rates.get(route)
        held = row["coins"]
        prices[row["id"]] = min(held, rate.price(row["segments"])) if rate else held
        if rate:
            rates[route] = replace(rate, accepted=rate.accepted + row["segments"])
        volumes[route] = volumes.get(route, 0) + row["segments"]
    await wallet.add_volume(volumes, at=at)
    return prices


async def _move(
    settlements: Sequence[SmsSettlement], prices: dict[str, int], *, at: datetime
) -> dict[str, db.Row]:
    """Write the new states of the messages in one statement."""
    moves = [_state(settlement, prices, at=at) for settlement in settlements]
    rows = await db.fetch(MOVE, *db.columns(moves, 7), at)
    return {row["id"]: row for row in rows}


def _state(
    settlement: SmsSettlement, prices: dict[str, int], *, at: datetime
) -> tuple[str, str, str | None, str | None, int | None, datetime | None, bool]:
    """(id, status, reason, reference, coins, settle_at, failed) of one message; coins None: as they
    are.
    """
    id = settlement.message_id
    match settlement.answer:
        case Accepted(reference=reference):
            return (id, Status.SENT, None, reference or None, prices[id], None, False)
        case Refused(reason=reason):
            return (id, Status.FAILED, reason, None, 0, None, True)
        case Unknown():
            return (id, Status.SENDING, None, None, None, at + RECONCILE_INTERVAL, False)
        case messaging.Indeterminate():
            return (id, Status.FAILED, "indeterminate", None, None, at + HOLD_TTL, True)
        case _:
            return (id, Status.FAILED, None, None, 0, None, True)


async def _publish_failures(
    settlements: Sequence[SmsSettlement], rows: dict[str, db.Row], *, at: datetime
) -> None:
    """sms.failed for what its recipient or an unknown outcome ended; other refusals were told in
    the answer.
    """
    ended = [
        rows[s.message_id]
        for s in settlements
        if isinstance(s.answer, (Refused, messaging.Indeterminate))
    ]
    await webhooks.publish_many(
        [
            webhooks.NewEvent(
                row["organization_id"],
                row["env"],
                "sms.failed",
                event_data(row),
                at,
                row["request_id"],
            )
            for row in ended
        ],
        at=at,
    )


async def _complete(late: Sequence[SmsSettlement], rows: dict[str, db.Row]) -> None:
    """What was settled already, by a report that overtook the answer: its reference, and its answer
    as it is given.
    """
    await messaging.remember_references(
        [(s.message_id, s.answer.reference) for s in late if isinstance(s.answer, Accepted)]
    )
    await _store_answers([s.message_id for s in late], rows)


async def _store_answers(ids: Sequence[str], rows: dict[str, db.Row]) -> None:
    await idempotency.answer_many(ids, [orjson.dumps(send_record(rows[id])).decode() for id in ids])


async def _answer_keys(
    settlements: Sequence[SmsSettlement], rows: dict[str, db.Row], *, at: datetime
) -> None:
    """Store the answer of what stands, free the key of what was refused, open the key of what is
    unknown.
    """
    await _store_answers(
        [s.message_id for s in settlements if isinstance(s.answer, (Accepted, Refused))], rows
    )
    await idempotency.release_many(
        [
            s.message_id
            for s in settlements
            if isinstance(s.answer, (Throttled, OutOfCredit, Failed))
        ]
    )
    await idempotency.end_leases(
        [
            s.message_id
            for s in settlements
            if isinstance(s.answer, (Unknown, messaging.Indeterminate))
        ],
        at=at,
    )


def _result(settlement: SmsSettlement, row: db.Row) -> dict[str, Any] | Exception:
    id = settlement.message_id
    if row["status"] != Status.SENDING and (
        row["status"] != Status.FAILED or row["reason"] is not None
    ):
        return send_record(
            row
        )  # also where the answer was another: a report on the message knows better
    match settlement.answer:
        case Throttled(retry_after=seconds):
            return ProviderThrottled(id, retry_after=seconds)
        case OutOfCredit():
            return ProviderOutOfCredit(id)
        case Failed():
            return ProviderRefused(id)
        case Unknown():
            return OutcomeUnknown(id)
    return send_record(row)


MOVE = """
UPDATE messages m
SET status = s.status, reason = s.reason, provider_reference = coalesce(s.reference, m.provider_reference),
    coins = coalesce(s.coins, m.coins), settle_at = s.settle_at,
    sealed_text = CASE WHEN s.status = 'sending' THEN m.sealed_text END,
    sent_at = CASE WHEN s.status = 'sent' THEN $8 ELSE m.sent_at END,
    failed_at = CASE WHEN s.failed THEN $8 ELSE m.failed_at END, updated_at = $8
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::bool[])
    AS s (id, status, reason, reference, coins, settle_at, failed)
WHERE m.id = s.id
RETURNING m.*
"""


async def settle_revived(rows: Sequence[db.Row], *, at: datetime) -> dict[str, db.Row]:
    """Messages that failed as indeterminate and turned out to be delivered: they did leave, and are
    charged while their price is still held. One whose hold was released already is not charged
    again.

    `rows` are the messages as they were before. Answers them as they are now.
    """
    if not rows:
        return {}
    accepted = [
        SmsSettlement(
            row["id"],
            (row["organization_id"], row["env"]),
            Accepted(row["provider_reference"] or ""),
            at,
        )
        for row in rows
        if row["settle_at"] is not None
    ]
    prices = await _pay(accepted, {row["id"]: row for row in rows}, at=at)
    revived = await db.fetch(
        REVIVE, [row["id"] for row in rows], [prices.get(row["id"]) for row in rows]
    )
    return {row["id"]: row for row in revived}


REVIVE = """
UPDATE messages m
SET settle_at = NULL, coins = coalesce(r.coins, m.coins), sent_at = coalesce(m.sent_at, m.created_at)
FROM unnest($1::text[], $2::bigint[]) AS r (id, coins)
WHERE m.id = r.id
RETURNING m.*
"""
