"""Applying the sandbox's due delivery reports to RCS messages."""

from dataclasses import replace
from datetime import datetime

from core.foundation.database.transactions import transaction
from core.messaging import Channel
from core.providers import sandbox
from core.providers.sandbox import ScheduledReport
from core.rcs.delivery_reports.effects import RcsReport, apply_rcs_reports, path_of, received

REPORT_BATCH_SIZE = 500


async def apply_due_reports(*, at: datetime) -> int:
    """Move the messages whose sandbox report is due, and publish what it tells. Answers how many
    reports it took.

    Taking the reports, the moves, the money and the events are one transaction: a crash leaves the
    reports due.
    """
    if not await sandbox.are_due(Channel.RCS, at=at):
        return 0
    async with transaction():
        reports = await sandbox.take_due_reports(Channel.RCS, at=at, limit=REPORT_BATCH_SIZE)
        await apply_rcs_reports([_report_of(report, at=at) for report in reports], at=at)
        await sandbox.write_reports(
            [next for report in reports if (next := _next(report, at=at)) is not None]
        )
    return len(reports)


def _report_of(report: ScheduledReport, *, at: datetime) -> RcsReport:
    return RcsReport(
        report.message_id,
        report.organization_id,
        report.env,
        report.status,
        report.reason,
        path_of(report.receipt),
        at,
        received(report.receipt, at=at),
    )


def _next(report: ScheduledReport, *, at: datetime) -> ScheduledReport | None:
    """What the sandbox reports after this one: some recipients read what they received."""
    ending = sandbox.rcs_ending(report.receipt["to"], fallback=path_of(report.receipt) == "sms")
    if ending.then is None or report.status != ending.status:
        return None
    return replace(report, status=ending.then, due_at=sandbox.next_report_at(at))
