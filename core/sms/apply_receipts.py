"""Delivery reports of live providers on SMS."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args

from core import messages
from core.foundation.database import db
from core.messages import Channel, LoggedReceipt, Status
from core.providers.contracts import Accepted, RcsRefusal, Receipt
from core.sms.outcomes import publish_outcomes
from core.sms.settle import Settlement, settle, settle_revived

RICH_REASONS = frozenset(get_args(RcsRefusal))


@messages.applies_reports(Channel.SMS)
async def apply_receipts(organization_id: str, known: messages.Told, at: datetime) -> None:
    """Apply reports whose message is known, and publish what they tell."""
    known = [(_for_sms(receipt), row) for receipt, row in known]
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


def _for_sms(receipt: Receipt) -> Receipt:
    """A report in the words of this channel: nobody reads an SMS, and it has no reasons of a rich
    message.
    """
    if receipt.status == "read":
        return replace(receipt, status=None)
    if receipt.reason in RICH_REASONS:
        return replace(receipt, reason="invalid_number")
    return receipt


def _which_applied(
    known: Sequence[tuple[Receipt, db.Row]], ended: set[tuple[str, str]]
) -> list[bool]:
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
