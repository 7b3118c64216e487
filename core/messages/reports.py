"""Delivery reports of live providers: late, twice, out of order, and sometimes before their message
is known.

A provider may serve several channels and names only the message: whose it is tells which channel
applies the report.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeAlias

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.messages.find import lock_spoken_of
from core.messages.models import Channel
from core.messages.receipt_log import park
from core.providers.contracts import Receipt

KIND = "receipt"

Told: TypeAlias = list[tuple[Receipt, db.Row]]
"""Reports in their order, each with its (locked) message."""

ApplyReports: TypeAlias = Callable[[str, Told, datetime], Awaitable[None]]
"""Moves the organization's messages, and publishes what the reports tell, in the transaction of the
reports.
"""

_applied_by: dict[str, ApplyReports] = {}


def applies_reports(channel: Channel) -> Callable[[ApplyReports], ApplyReports]:
    """Let the decorated function apply the reports on the channel's messages."""

    def register(apply: ApplyReports) -> ApplyReports:
        _applied_by[channel] = apply
        return apply

    return register


async def receive_receipts(
    organization_id: str, provider: str, receipts: Sequence[Receipt], *, at: datetime
) -> None:
    """Apply reports and publish what they tell, in one transaction; park those whose message is
    unknown.
    """
    async with transaction():
        unknown = await apply_reports(organization_id, provider, receipts, at=at)
        bodies = [parked_body(receipts[place]) for place in sorted(unknown)]
        await park(organization_id, "live", provider, KIND, bodies, at=at)


async def apply_reports(
    organization_id: str, provider: str, receipts: Sequence[Receipt], *, at: datetime
) -> set[int]:
    """Apply the reports whose message is known. Answers the places of the others."""
    rows = await lock_spoken_of(
        organization_id,
        "live",
        None,
        provider,
        [(receipt.message_id, receipt.reference) for receipt in receipts],
    )
    told: dict[str, Told] = defaultdict(list)
    for receipt, row in zip(receipts, rows, strict=True):
        if row is not None:
            told[row["channel"]].append((receipt, row))
    for channel, known in told.items():
        await _applied_by[channel](organization_id, known, at)
    return {place for place, row in enumerate(rows) if row is None}


def parked_body(receipt: Receipt) -> dict[str, Any]:
    """A report as JSON."""
    return {**asdict(receipt), "at": receipt.at.isoformat()}


def parked_receipt(body: dict[str, Any]) -> Receipt:
    """The report again."""
    return Receipt(**{**body, "at": datetime.fromisoformat(body["at"])})
