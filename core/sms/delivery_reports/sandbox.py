"""Applying the sandbox's due delivery reports to SMS."""

from datetime import datetime

from core import messaging
from core.foundation.clock import wire_time
from core.foundation.database.transactions import transaction
from core.messaging import Channel, StatusUpdate
from core.providers import sandbox
from core.sms.delivery_reports.events import publish_status_events

REPORT_BATCH_SIZE = 500


async def apply_due_reports(*, at: datetime) -> int:
    """Move the messages whose sandbox report is due and publish the outcomes. Answers how many
    reports it took.

    Taking the reports, the moves and the events are one transaction: a crash leaves the reports
    due.
    """
    if not await sandbox.are_due(Channel.SMS, at=at):
        return 0
    async with transaction():
        reports = await sandbox.take_due_reports(Channel.SMS, at=at, limit=REPORT_BATCH_SIZE)
        moved = await messaging.apply_status_updates(
            [
                StatusUpdate.told(report, at, {**report.receipt, "received": wire_time(at)})
                for report in reports
            ],
            at=at,
        )
        await publish_status_events(moved, at=at)
    return len(reports)
