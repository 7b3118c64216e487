"""Unmatched delivery reports: retried with backoff for 24 hours until their message is known.

Most of them never find one: whoever shares a number with another service hears of that one's
messages too.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from core import messaging
from core.conversations.delivery_reports.receive import ReceivedReport, receive_reports
from core.foundation.database.transactions import transaction
from core.messaging import UnmatchedReport
from core.providers.platform import StatusReport

KIND = "status"
BATCH_SIZE = 200


async def keep_unmatched(received: Sequence[ReceivedReport], *, at: datetime) -> None:
    """Keep reports of unknown messages, in the transaction that did not find them."""
    by_owner: dict[tuple[str, str, str], list[dict[str, object]]] = defaultdict(list)
    for one in received:
        owner = one.organization_id, one.env, one.provider
        by_owner[owner].append(_stored(one.report))
    for (organization_id, env, provider), bodies in by_owner.items():
        await messaging.keep_unmatched(organization_id, env, provider, KIND, bodies, at=at)


async def retry_unmatched(*, at: datetime) -> int:
    """Try what is due again, in one transaction. Answers how many were tried."""
    async with transaction():
        due = await messaging.take_due_unmatched(at=at, limit=BATCH_SIZE, kinds=(KIND,))
        unknown = await receive_reports([_read(one) for one in due], at=at)
        await messaging.requeue_unmatched(
            [due[place] for place in sorted(unknown)], at=at, seldom=True
        )
    return len(due)


def _stored(report: StatusReport) -> dict[str, object]:
    body = asdict(report)
    body["line"] = body.pop("platform_id")
    body["at"] = report.at.isoformat()
    return body


def _read(unmatched: UnmatchedReport) -> ReceivedReport:
    body = dict(unmatched.body)
    at, platform_id = datetime.fromisoformat(body.pop("at")), body.pop("line")
    report = StatusReport(**body, at=at, platform_id=platform_id)
    return ReceivedReport(unmatched.organization_id, unmatched.env, unmatched.provider, report)
