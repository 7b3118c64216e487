"""Delivery reports of the platform or the sandbox: matched to messages and applied, in any order.

Reports come late, twice, and in any order. Whatever the order, the end is the same: a status only
rises, of the times that are told the earliest counts, and what was accepted is paid once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messaging
from core.conversations.delivery_reports.acceptance import (
    AcceptanceProof,
    accept_reported,
    dequeue_reported,
)
from core.conversations.delivery_reports.apply import StatusChange, apply_status_changes
from core.conversations.delivery_reports.log import MatchedStatusReport, log_reports
from core.conversations.queue.settle import is_erased
from core.foundation.database.rows import by_column
from core.messaging import Status, StoredMessage, fetch_messages
from core.messaging.moves import RANK
from core.messaging.queue.rows import QueuedMessage
from core.providers.platform import PlatformAcceptance, StatusReport


@dataclass(frozen=True, slots=True)
class ReceivedReport:
    """A delivery report, whose it is, and the provider that makes it."""

    organization_id: str
    env: str
    provider: str
    report: StatusReport

    @property
    def message_id(self) -> str | None:
        """Ours, where the platform said it again."""
        return self.report.message_id

    @property
    def reference(self) -> str:
        """The platform's id of the message."""
        return self.report.reference


async def receive_reports(received: Sequence[ReceivedReport], *, at: datetime) -> set[int]:
    """Apply reports and publish what they tell, in the caller's transaction. Answers the places of
    those whose message is unknown.
    """
    dequeued = await dequeue_reported(
        [(id, one.organization_id, one.env) for one in received if (id := one.message_id)]
    )
    matched, unmatched = _match(received, await _lock(received), dequeued)
    matched.sort(key=lambda one: (one.report.at, RANK[Status(one.report.status)]))
    await _accept(_first_of_each_message(matched), dequeued)
    moved = await _move(matched, at=at)
    await _correct_times(matched, moved)
    await log_reports(matched, moved, at=at)
    return unmatched


def _match(
    received: Sequence[ReceivedReport],
    rows: Sequence[StoredMessage | None],
    dequeued: Mapping[str, QueuedMessage],
) -> tuple[list[MatchedStatusReport], set[int]]:
    """The reports whose message may be changed, and the places of the others."""
    matched: list[MatchedStatusReport] = []
    unmatched: set[int] = set()
    for place, (one, row) in enumerate(zip(received, rows, strict=True)):
        # Still queued, but not ours to decide: it is in other hands at this moment.
        if row is None or (row["status"] == Status.QUEUED and row["id"] not in dequeued):
            unmatched.add(place)
        else:
            matched.append(MatchedStatusReport(one.report, row))
    return matched, unmatched


def _first_of_each_message(matched: Sequence[MatchedStatusReport]) -> list[MatchedStatusReport]:
    return list({one.id: one for one in reversed(matched)}.values())


async def _lock(received: Sequence[ReceivedReport]) -> list[StoredMessage | None]:
    """The message of each report; our id decides, where the platform said it again."""
    rows = await fetch_messages(
        LOCK,
        [one.message_id for one in received if one.message_id],
        sorted({one.provider for one in received}),
        [one.reference for one in received if not one.message_id],
    )
    by_id = by_column(rows, "id")
    by_reference = {(row["provider"], row["provider_reference"]): row for row in rows}
    found: list[StoredMessage | None] = []
    for one in received:
        if one.message_id:
            row = by_id.get(one.message_id)
        else:
            row = by_reference.get((one.provider, one.reference))
        found.append(row if row is not None and _is_own(row, one) else None)
    return found


def _is_own(row: StoredMessage, one: ReceivedReport) -> bool:
    return (row["organization_id"], row["env"]) == (one.organization_id, one.env)


async def _accept(
    first: Sequence[MatchedStatusReport], dequeued: Mapping[str, QueuedMessage]
) -> None:
    """Whatever is reported of a message, the platform has taken it; its first report tells since
    when.
    """
    await accept_reported([_proof(one) for one in first], dequeued)
    await messaging.remember_references(
        [(one.id, one.report.reference) for one in first if _is_new_reference(one)]
    )


def _proof(one: MatchedStatusReport) -> AcceptanceProof:
    report = one.report
    taken = PlatformAcceptance(report.reference, report.address)
    return AcceptanceProof(one.row, taken, report.status == "failed", report.at)


def _is_new_reference(one: MatchedStatusReport) -> bool:
    is_known = one.row["provider_reference"] is not None
    return bool(one.report.reference) and not is_known and not is_erased(one.row)


async def _move(matched: Sequence[MatchedStatusReport], *, at: datetime) -> set[tuple[str, str]]:
    """Apply what raises a status, and publish it. Answers the moves."""
    changes = [_status_change(one) for one in matched if one.report.status != "sent"]
    rows = await apply_status_changes(changes, at=at)
    return {(row["id"], row["status"]) for row in rows}


def _status_change(one: MatchedStatusReport) -> StatusChange:
    report, row = one.report, one.row
    return StatusChange(
        one.id,
        row["organization_id"],
        row["env"],
        report.status,
        report.at,
        report.code,
        report.error,
    )


async def _correct_times(
    matched: Sequence[MatchedStatusReport], moved: set[tuple[str, str]]
) -> None:
    """A report that comes after its like, or after a higher one, may still know better when its
    step was.
    """
    told = [
        (one.id, one.report.status, one.report.at)
        for one in matched
        if one.report.status in ("delivered", "read")
        and (one.move not in moved or (one.row["delivered_at"] or one.report.at) > one.report.at)
    ]
    await messaging.correct_times(told)


# Two branches, one per index; an OR over both would scan.
LOCK = """
SELECT m.* FROM messages m
WHERE m.id IN (
    SELECT id FROM messages WHERE id = ANY ($1)
    UNION
    SELECT id FROM messages
    WHERE provider = ANY ($2) AND provider_reference = ANY ($3) AND provider <> 'svc-sandbox')
  AND m.channel IN ('whatsapp', 'instagram') AND m.direction = 'outbound'
ORDER BY m.id
FOR UPDATE
"""
