"""Applying delivery reports of live providers to SMS."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import get_args

from core import messaging
from core.messaging import Channel, MatchedReport, Settlement, Status, StoredMessage
from core.providers.contracts import Accepted, DeliveryReport, RcsRefusal
from core.sms.delivery_reports.events import publish_status_events
from core.sms.settle import POLICY, settle

RICH_REASONS = frozenset(get_args(RcsRefusal))


@messaging.applies_reports(Channel.SMS)
async def apply_delivery_reports(
    organization_id: str, known: messaging.MatchedReports, at: datetime
) -> None:
    """Apply reports whose message is known, and publish what they tell."""
    await messaging.apply_matched(RULES, [_for_sms(report, row) for report, row in known], at=at)


def _for_sms(report: DeliveryReport, row: StoredMessage) -> MatchedReport:
    """A report in the words of this channel: nobody reads an SMS, and it has no reasons of a rich
    message.
    """
    return MatchedReport(
        row,
        status=report.status if report.status != "read" else None,
        reason="invalid_number" if report.reason in RICH_REASONS else report.reason,
        at=report.at,
        body=report.provider_receipt,
        reference=report.reference,
        receipt=report.provider_receipt,
    )


async def _accept(references: Mapping[str, str], at: datetime) -> None:
    await settle([Settlement(id, Accepted(reference), at) for id, reference in references.items()])


async def _tell(
    before: Mapping[str, StoredMessage], moved: Sequence[StoredMessage], at: datetime
) -> None:
    """What failed as indeterminate and was delivered after all is paid while its hold lasts."""
    failed = [before[row["id"]] for row in moved]
    revived = await messaging.settle_revived(
        POLICY, [row for row in failed if row["status"] == Status.FAILED], at=at
    )
    await publish_status_events([revived.get(row["id"], row) for row in moved], at=at)


RULES = messaging.ReportRules(open=Status.SENDING, accept=_accept, then=_tell)
