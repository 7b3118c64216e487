"""Delivery reports of live providers on RCS messages, and on the SMS that stood in for them."""

from datetime import datetime

from core import messages
from core.foundation.database import db
from core.messages import Channel, LoggedReceipt, Status
from core.providers.contracts import Receipt
from core.rcs.hand_over import accept_early
from core.rcs.reported import NO_RCS, Path, Word, apply_words, divert, path_of

REASONS = frozenset({"no_rcs", "rejected", "expired", "media_error"})


@messages.applies_reports(Channel.RCS)
async def apply_receipts(organization_id: str, known: messages.Told, at: datetime) -> None:
    """Apply reports whose message is known, and publish what they tell; several on one message one
    after the other.
    """
    while known:
        turn: dict[str, Receipt] = {}
        later: messages.Told = []
        for receipt, row in known:
            if row["id"] in turn:
                later.append((receipt, row))
            else:
                turn[row["id"]] = receipt
        await _apply(organization_id, turn, at=at)
        known = later


async def _apply(organization_id: str, turn: dict[str, Receipt], *, at: datetime) -> None:
    for row in (await _rows(turn)).values():
        if row["status"] == Status.QUEUED:
            # Before the answer to the hand-over: it was accepted, then.
            await accept_early(row, turn[row["id"]].reference, at=at)
    rows = await _rows(turn)
    await messages.remember_references(
        [(id, receipt.reference) for id, receipt in turn.items() if receipt.reference]
    )
    diverted = [id for id, receipt in turn.items() if _wants_sms(receipt, rows[id])]
    await divert(diverted, at=at)
    words = [
        _word(receipt, rows[id])
        for id, receipt in turn.items()
        if id not in diverted and _concerns(receipt, rows[id])
    ]
    moved = {row["id"] for row in await apply_words(words, at=at)}
    await messages.log_receipts(
        [
            LoggedReceipt(
                organization_id,
                "live",
                id,
                receipt.status,
                receipt.reason,
                receipt.provider_receipt,
                id in moved or id in diverted,
            )
            for id, receipt in turn.items()
        ],
        at=at,
    )


async def _rows(turn: dict[str, Receipt]) -> dict[str, db.Row]:
    rows = await db.fetch("SELECT * FROM messages WHERE id = ANY ($1)", list(turn))
    return {row["id"]: row for row in rows}


def _wants_sms(receipt: Receipt, row: db.Row) -> bool:
    """The phone takes no RCS, and an SMS stands in that has not left."""
    return (
        not receipt.of_fallback
        and receipt.reason == NO_RCS
        and row["fallback"] is not None
        and row["path"] is None
        and row["status"] == Status.SENT
    )


def _concerns(receipt: Receipt, row: db.Row) -> bool:
    """Whether a report may still change the message: where its SMS left, the rich message itself is
    over.
    """
    return row["path"] != "sms" or _path(receipt, row) == "sms"


def _path(receipt: Receipt, row: db.Row) -> Path | None:
    if receipt.of_fallback:
        return "sms"
    if receipt.status is None:
        # On its way: it may still turn out that the phone takes no RCS.
        return None
    path = path_of(receipt.provider_receipt)
    if path == "sms":
        # Only a message with a fallback can have gone as SMS; of another one it is no word that we
        # understand.
        return "sms" if row["fallback"] is not None else None
    return "rcs" if receipt.status == "read" else path


def _word(receipt: Receipt, row: db.Row) -> Word:
    path = _path(receipt, row)
    status: str | None = receipt.status
    reason = None
    if status in ("failed", "undelivered"):
        status = "failed"
        reason = receipt.reason if receipt.reason in REASONS else "rejected"
        if reason == NO_RCS:
            # Nothing left by RCS; an SMS has no such reason.
            path, reason = (path, "rejected") if path == "sms" else (None, reason)
    elif status == "read" and path == "sms":
        status = None  # nobody reads an SMS
    return Word(
        row["id"],
        row["organization_id"],
        row["env"],
        status,
        reason,
        path,
        receipt.at,
        receipt.provider_receipt,
    )
