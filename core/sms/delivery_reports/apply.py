"""Applying delivery reports of live providers to SMS."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args

from core import messaging
from core.foundation.database import db
from core.messaging import Channel, LoggedReport, Status
from core.providers.contracts import Accepted, DeliveryReport, RcsRefusal
from core.sms.delivery_reports.events import publish_status_events
from core.sms.settle import SmsSettlement, settle, settle_revived

RICH_REASONS = frozenset(get_args(RcsRefusal))


@messaging.applies_reports(Channel.SMS)
async def apply_delivery_reports(
    organization_id: str, known: messaging.MatchedReports, at: datetime
) -> None:
    """Apply reports whose message is known, and publish what they tell."""
    known = [(_for_sms(report), row) for report, row in known]
    await _settle_overtaken(known, at=at)
    unnamed = [(report, row) for report, row in known if row["provider_reference"] is None]
    await messaging.remember_references(
        [(row["id"], report.reference) for report, row in unnamed if report.reference]
    )
    moved = await messaging.apply_status_updates(
        [
            messaging.StatusUpdate(
                row["id"],
                organization_id,
                "live",
                report.status,
                report.reason,
                report.at,
                report.provider_receipt,
            )
            for report, row in known
            if report.status is not None
        ],
        at=at,
    )
    before = {row["id"]: row for _, row in known}
    revived = await settle_revived(
        [before[row["id"]] for row in moved if before[row["id"]]["status"] == Status.FAILED], at=at
    )
    await publish_status_events([revived.get(row["id"], row) for row in moved], at=at)
    ended = {(row["id"], row["status"]) for row in moved}
    await messaging.log_reports(
        [
            LoggedReport(
                organization_id,
                "live",
                row["id"],
                report.status,
                report.reason,
                report.provider_receipt,
                applied,
            )
            for (report, row), applied in zip(known, _which_applied(known, ended), strict=True)
        ],
        at=at,
    )


def _for_sms(report: DeliveryReport) -> DeliveryReport:
    """A report in the words of this channel: nobody reads an SMS, and it has no reasons of a rich
    message.
    """
    if report.status == "read":
        return replace(report, status=None)
    if report.reason in RICH_REASONS:
        return replace(report, reason="invalid_number")
    return report


def _which_applied(
    known: Sequence[tuple[DeliveryReport, db.Row]], ended: set[tuple[str, str]]
) -> list[bool]:
    """Whether each report moved its message; of two that say the same, the first did."""
    left = set(ended)
    applied = []
    for report, row in known:
        move = (row["id"], report.status or "")
        applied.append(move in left)
        left.discard(move)
    return applied


async def _settle_overtaken(
    known: Sequence[tuple[DeliveryReport, db.Row]], *, at: datetime
) -> None:
    """A report on a message that is still `sending` proves that the provider accepted it."""
    overtaken = {
        row["id"]: SmsSettlement(
            row["id"],
            (row["organization_id"], row["env"]),
            Accepted(report.reference or ""),
            at,
        )
        for report, row in known
        if row["status"] == Status.SENDING
    }
    if overtaken:
        await settle(list(overtaken.values()))
