"""Retrying unmatched delivery reports and replies: those that overtook their message."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias, TypeVar

import structlog

from core import messaging
from core.foundation.database.transactions import transaction
from core.messaging import UnmatchedReport
from core.messaging.delivery_reports.receive import KIND as REPORT
from core.providers.contracts import DeliveryReport, InboundReply
from core.sms.replies import KIND as REPLY
from core.sms.replies import apply_replies, reply_from_json

UNMATCHED_BATCH_SIZE = 200

log = structlog.get_logger()

Item = TypeVar("Item")

Batches: TypeAlias = dict[tuple[str, str], list[tuple[UnmatchedReport, Item]]]
"""By organization and provider: what was kept, and what it says."""


async def retry_unmatched(*, at: datetime) -> int:
    """Try what is due again, in one transaction. Answers how many were tried."""
    async with transaction():
        due = await messaging.take_due_unmatched(
            at=at, limit=UNMATCHED_BATCH_SIZE, kinds=(REPORT, REPLY)
        )
        reports: Batches[DeliveryReport] = defaultdict(list)
        replies: Batches[InboundReply] = defaultdict(list)
        unmatched: list[UnmatchedReport] = []
        for one in due:
            owner = (one.organization_id, one.provider)
            match _read(one):
                case DeliveryReport() as report:
                    reports[owner].append((one, report))
                case InboundReply() as reply:
                    replies[owner].append((one, reply))
                case None:
                    unmatched.append(one)
        unmatched += await _apply(reports, messaging.apply_reports, at=at)
        unmatched += await _apply(replies, apply_replies, at=at)
        await messaging.requeue_unmatched(unmatched, at=at)
    return len(due)


async def _apply(
    batches: Batches[Item], apply: Callable[..., Awaitable[set[int]]], *, at: datetime
) -> list[UnmatchedReport]:
    """Apply each owner's items. Answers those that still match no message."""
    unmatched: list[UnmatchedReport] = []
    for owner, batch in batches.items():
        places = await apply(*owner, [item for _, item in batch], at=at)
        unmatched += [batch[place][0] for place in places]
    return unmatched


def _read(one: UnmatchedReport) -> DeliveryReport | InboundReply | None:
    """What was kept; None for a row that another version of the service wrote: it must not hold
    up the others.
    """
    try:
        if one.kind == REPLY:
            return reply_from_json(one.body)
        return messaging.report_from_json(one.body)
    except (KeyError, TypeError, ValueError) as error:
        log.warning("parked_unreadable", kind=one.kind, id=one.id, error=type(error).__name__)
        return None
