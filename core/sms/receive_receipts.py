"""Delivery reports of live providers: late, twice, out of order, and sometimes before their message is known."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from core import messages
from core.foundation import db
from core.foundation.transactions import transaction
from core.messages import Channel, LoggedReceipt, Status
from core.providers.contracts import Accepted, Receipt
from core.sms.outcomes import publish_outcomes
from core.sms.settle import Settlement, settle, settle_revived

KIND = "receipt"


async def receive_receipts(organization_id: str, provider: str, receipts: Sequence[Receipt], *, at: datetime) -> None:
    """Apply reports and publish what they tell, in one transaction; park those whose message is unknown."""
    async with transaction():
        unknown = await apply_receipts(organization_id, provider, receipts, at=at)
        bodies = [parked_body(receipts[place]) for place in sorted(unknown)]
        await messages.park(organization_id, "live", provider, KIND, bodies, at=at)


def parked_body(receipt: Receipt) -> dict[str, Any]:
    """A report as JSON."""
    return {**asdict(receipt), "at": receipt.at.isoformat()}


def parked_receipt(body: dict[str, Any]) -> Receipt:
    """The report again."""
    return Receipt(**{**body, "at": datetime.fromisoformat(body["at"])})


async def apply_receipts(organization_id: str, provider: str, receipts: Sequence[Receipt], *, at: datetime) -> set[int]:
    """Apply the reports whose message is known. Answers the places of the others."""
    rows = await messages.lock_spoken_of(
        organization_id,
        "live",
        Channel.SMS,
        provider,
        [(receipt.message_id, receipt.reference) for receipt in receipts],
    )
    known = [(receipt, row) for receipt, row in zip(receipts, rows, strict=True) if row is not None]
    await _accept_early(known, at=at)
    unnamed = [(receipt, row) for receipt, row in known if row["provider_reference"] is None]
    await messages.remember_references(
        [(row["id"], receipt.reference) for receipt, row in unnamed if receipt.reference]
    )
    moved = await messages.apply_receipts(
        [
            messages.Receipt(
                row["id"],
                organization_id,
                "live",
                receipt.status,
                receipt.reason,
                receipt.at,
                receipt.provider_receipt,
            )
            for receipt, row in known
            if receipt.status is not None
        ],
        at=at,
    )
    before = {row["id"]: row for _, row in known}
    revived = await settle_revived(
        [before[row["id"]] for row in moved if before[row["id"]]["status"] == Status.FAILED], at=at
    )
    await publish_outcomes([revived.get(row["id"], row) for row in moved], at=at)
    ended = {(row["id"], row["status"]) for row in moved}
    await messages.log_receipts(
        [
            LoggedReceipt(
                organization_id,
                "live",
                row["id"],
                receipt.status,
                receipt.reason,
                receipt.provider_receipt,
                applied,
            )
            for (receipt, row), applied in zip(known, _which_applied(known, ended), strict=True)
        ],
        at=at,
    )
    return {place for place, row in enumerate(rows) if row is None}


def _which_applied(known: Sequence[tuple[Receipt, db.Row]], ended: set[tuple[str, str]]) -> list[bool]:
    """Whether each report moved its message; of two that say the same, the first did."""
    left = set(ended)
    applied = []
    for receipt, row in known:
        move = (row["id"], receipt.status or "")
        applied.append(move in left)
        left.discard(move)
    return applied


async def _accept_early(known: Sequence[tuple[Receipt, db.Row]], *, at: datetime) -> None:
    """A report on a message that is still `sending` proves that the provider accepted it."""
    early = {
        row["id"]: Settlement(
            row["id"],
            (row["organization_id"], row["env"]),
            Accepted(receipt.reference or ""),
            at,
        )
        for receipt, row in known
        if row["status"] == Status.SENDING
    }
    if early:
        await settle(list(early.values()))
