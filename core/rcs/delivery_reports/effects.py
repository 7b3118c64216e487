"""The effects of a delivery report on an RCS message: path, status, price, event."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core import messaging
from core.foundation.clock import wire_time
from core.foundation.database.rows import HasColumns, by_column
from core.foundation.jobs import Job, wake
from core.messaging import Status, StatusUpdate, StoredMessage
from core.providers.sandbox import Ending, reference_of
from core.rcs.delivery_reports.events import publish_status_events
from core.rcs.price import give_back, pay

NO_RCS = "no_rcs"
"""The recipient's phone takes no RCS. As the reason of a message that has not failed: its SMS is on
its way out.
"""

Path = Literal["rcs", "sms"]


@dataclass(frozen=True, slots=True)
class RcsReport:
    """What a provider says of one message: nothing is known of what is None."""

    message_id: str
    organization_id: str
    env: str
    status: str | None
    reason: str | None
    path: Path | None
    at: datetime
    receipt: dict[str, Any]


async def apply_rcs_reports(reports: Sequence[RcsReport], *, at: datetime) -> list[HasColumns]:
    """Apply reports on messages, no two on the same one, in the transaction of their cause. Answers
    what moved.
    """
    on_their_way = await _note_paths(reports)
    moved = await messaging.apply_status_updates(
        [
            StatusUpdate(
                report.message_id,
                report.organization_id,
                report.env,
                report.status,
                report.reason,
                report.at,
                report.receipt,
            )
            for report in reports
            if report.status is not None
        ],
        at=at,
    )
    rows = by_column([*on_their_way, *moved], "id")
    lost = [row for row in rows.values() if _left_nowhere(row)]
    await give_back(lost, at=at)
    await pay([row for row in rows.values() if _is_payable(row)], at=at)
    await publish_status_events(moved, at)
    return list(moved)


def _left_nowhere(row: StoredMessage) -> bool:
    return bool(row["status"] == Status.FAILED and row["reason"] == NO_RCS and row["path"] is None)


def _is_payable(row: StoredMessage) -> bool:
    """The way is known; or the message came to its end after it was accepted, which is what is paid
    for.
    """
    return row["path"] is not None or (row["status"] == Status.FAILED and not _left_nowhere(row))


async def divert(ids: Sequence[str], *, at: datetime) -> None:
    """Let the SMS of these messages leave: the phone takes no RCS. Once: whoever hears it again
    changes nothing.
    """
    if ids:
        await messaging.divert(ids, reason=NO_RCS, at=at)
        await wake(Job.RECONCILE_RCS)


def sandbox_receipt(recipient: str, message_id: str, ending: Ending) -> dict[str, Any]:
    """What the sandbox will report, but for the time."""
    receipt = {"id": reference_of(message_id), "to": recipient, "reference": message_id}
    return receipt | ({"channel": ending.path.upper()} if ending.path else {})


def path_of(receipt: dict[str, object]) -> Path | None:
    """The way that a receipt tells."""
    match receipt.get("channel"):
        case "RCS":
            return "rcs"
        case "SMS":
            return "sms"
    return None


def received(receipt: dict[str, object], *, at: datetime) -> dict[str, object]:
    """The receipt with the time at which it came."""
    return {**receipt, "received": wire_time(at)}


async def _note_paths(reports: Sequence[RcsReport]) -> Sequence[StoredMessage]:
    """Store the paths that are reported for the first time. Answers these messages."""
    reported = [
        (
            report.message_id,
            report.organization_id,
            report.env,
            report.path,
            report.status in ("delivered", "read"),
        )
        for report in reports
        if report.path is not None
    ]
    return await messaging.note_paths(reported)
