"""Applying delivery reports of live providers to RCS messages and their SMS fallback."""

from datetime import datetime

from core import messaging
from core.foundation.database import db
from core.foundation.database.rows import HasColumns, by_column, column
from core.messaging import Channel, LoggedReport, Settlement, Status
from core.providers.contracts import Accepted, DeliveryReport
from core.rcs.delivery_reports.effects import (
    NO_RCS,
    Path,
    RcsReport,
    apply_rcs_reports,
    divert,
    path_of,
)
from core.rcs.settle import settle

REASONS = frozenset({"no_rcs", "rejected", "expired", "media_error"})


@messaging.applies_reports(Channel.RCS)
async def apply_delivery_reports(
    organization_id: str, known: messaging.MatchedReports, at: datetime
) -> None:
    """Apply reports whose message is known, and publish what they tell; several on one message one
    after the other.
    """
    while known:
        turn: dict[str, DeliveryReport] = {}
        later: messaging.MatchedReports = []
        for report, row in known:
            if row["id"] in turn:
                later.append((report, row))
            else:
                turn[row["id"]] = report
        await _apply(organization_id, turn, at=at)
        known = later


async def _apply(organization_id: str, turn: dict[str, DeliveryReport], *, at: datetime) -> None:
    # Before the answer to the hand-over: it was accepted, then.
    await settle(
        [
            Settlement(id, Accepted(turn[id].reference or ""), at)
            for id, row in (await _rows(turn)).items()
            if row["status"] == Status.QUEUED
        ]
    )
    rows = await _rows(turn)
    await messaging.remember_references(
        [(id, report.reference) for id, report in turn.items() if report.reference]
    )
    diverted = [id for id, report in turn.items() if _wants_sms(report, rows[id])]
    await divert(diverted, at=at)
    reports = [
        _report_of(report, rows[id])
        for id, report in turn.items()
        if id not in diverted and _concerns(report, rows[id])
    ]
    moved = set(column(await apply_rcs_reports(reports, at=at), "id"))
    await messaging.log_reports(
        [
            LoggedReport(
                organization_id,
                "live",
                id,
                report.status,
                report.reason,
                report.provider_receipt,
                id in moved or id in diverted,
            )
            for id, report in turn.items()
        ],
        at=at,
    )


async def _rows(turn: dict[str, DeliveryReport]) -> dict[str, HasColumns]:
    rows = await db.fetch("SELECT * FROM messages WHERE id = ANY ($1)", list(turn))
    return by_column(rows, "id")


def _wants_sms(report: DeliveryReport, row: HasColumns) -> bool:
    """The phone takes no RCS, and an SMS stands in that has not left."""
    return (
        not report.of_fallback
        and report.reason == NO_RCS
        and row["fallback"] is not None
        and row["path"] is None
        and row["status"] == Status.SENT
    )


def _concerns(report: DeliveryReport, row: HasColumns) -> bool:
    """Whether a report may still change the message: where its SMS left, the rich message itself is
    over.
    """
    return row["path"] != "sms" or _path(report, row) == "sms"


def _path(report: DeliveryReport, row: HasColumns) -> Path | None:
    if report.of_fallback:
        return "sms"
    if report.status is None:
        # On its way: it may still turn out that the phone takes no RCS.
        return None
    path = path_of(report.provider_receipt)
    if path == "sms":
        # Only a message with a fallback can have gone as SMS; of another one it is no word that we
        # understand.
        return "sms" if row["fallback"] is not None else None
    return "rcs" if report.status == "read" else path


def _report_of(report: DeliveryReport, row: db.Row) -> RcsReport:
    path = _path(report, row)
    status: str | None = report.status
    reason = None
    if status in ("failed", "undelivered"):
        status = "failed"
        reason = report.reason if report.reason in REASONS else "rejected"
        if reason == NO_RCS:
            # Nothing left by RCS; an SMS has no such reason.
            path, reason = (path, "rejected") if path == "sms" else (None, reason)
    elif status == "read" and path == "sms":
        status = None  # nobody reads an SMS
    return RcsReport(
        row["id"],
        row["organization_id"],
        row["env"],
        status,
        reason,
        path,
        report.at,
        report.provider_receipt,
    )
