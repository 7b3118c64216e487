"""Receiving delivery reports of live providers: late, duplicate, out of order, or unmatched.

A provider may serve several channels and names only the message: whose it is tells which channel
applies the report.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeAlias

from core.foundation.database.transactions import transaction
from core.messaging.delivery_reports.unmatched import keep_unmatched
from core.messaging.find import lock_matching
from core.messaging.models import Channel
from core.messaging.stored_message import StoredMessage
from core.providers.contracts import DeliveryReport

KIND = "receipt"
"""The stored kind of an unmatched delivery report."""

MatchedReports: TypeAlias = list[tuple[DeliveryReport, StoredMessage]]
"""Reports in their order, each with its (locked) message."""

ApplyReports: TypeAlias = Callable[[str, MatchedReports, datetime], Awaitable[None]]
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


async def receive_reports(
    organization_id: str, provider: str, reports: Sequence[DeliveryReport], *, at: datetime
) -> None:
    """Apply reports and publish what they tell, in one transaction; keep those that match no
    message yet.
    """
    async with transaction():
        unknown = await apply_reports(organization_id, provider, reports, at=at)
        bodies = [report_to_json(reports[place]) for place in sorted(unknown)]
        await keep_unmatched(organization_id, "live", provider, KIND, bodies, at=at)


async def apply_reports(
    organization_id: str, provider: str, reports: Sequence[DeliveryReport], *, at: datetime
) -> set[int]:
    """Apply the reports whose message is known. Answers the positions of the others."""
    rows = await lock_matching(
        organization_id,
        "live",
        None,
        provider,
        [(report.message_id, report.reference) for report in reports],
    )
    matched: dict[str, MatchedReports] = defaultdict(list)
    for report, row in zip(reports, rows, strict=True):
        if row is not None:
            matched[row["channel"]].append((report, row))
    for channel, known in matched.items():
        await _applied_by[channel](organization_id, known, at)
    return {place for place, row in enumerate(rows) if row is None}


def report_to_json(report: DeliveryReport) -> dict[str, object]:
    """A report as JSON."""
    return {**asdict(report), "at": report.at.isoformat()}


def report_from_json(body: dict[str, Any]) -> DeliveryReport:
    """The report again."""
    return DeliveryReport(**{**body, "at": datetime.fromisoformat(body["at"])})
