"""Applying delivery reports to their messages: whatever is reported of a message, it was accepted."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.messaging.delivery_reports.apply import StatusUpdate, apply_status_updates
from core.messaging.delivery_reports.log import LoggedReport, log_reports
from core.messaging.find import remember_references
from core.messaging.models import Status
from core.messaging.stored_message import StoredMessage


@dataclass(frozen=True, slots=True)
class MatchedReport:
    """A delivery report in the words of its channel, and its (locked) message as it was. `status`
    None: it moves nothing. `body` is what is logged of it, `receipt` what the message keeps.
    `proves_acceptance`: whether the provider must have taken the message to say so.
    """

    row: StoredMessage
    status: str | None
    reason: str | None
    at: datetime
    body: Mapping[str, Any]
    reference: str | None = None
    receipt: Mapping[str, Any] | None = None
    proves_acceptance: bool = True


@dataclass(frozen=True, slots=True)
class ReportRules:
    """How the reports on a channel's messages are applied.

    `open`: the status of a message whose outcome is not known. `accept`: settles such messages
    (with the provider's reference of each) as accepted. `then`: what follows for those that moved,
    which it gets as they were and as they are.
    """

    open: Status
    accept: Callable[[Mapping[str, str], datetime], Awaitable[None]]
    then: Callable[
        [Mapping[str, StoredMessage], Sequence[StoredMessage], datetime], Awaitable[None]
    ]


async def apply_matched(
    rules: ReportRules, reports: Sequence[MatchedReport], *, at: datetime
) -> None:
    """Apply reports and publish what they tell, in the caller's transaction; all are logged."""
    before = {one.row["id"]: one.row for one in reports}
    overtaken = {
        one.row["id"]: one.reference or ""
        for one in reports
        if one.proves_acceptance and one.row["status"] == rules.open
    }
    if overtaken:
        await rules.accept(overtaken, at)
    await remember_references(
        [
            (one.row["id"], one.reference)
            for one in reports
            if one.reference and one.row["provider_reference"] is None
        ]
    )
    moved = await apply_status_updates([_update(one) for one in reports if one.status], at=at)
    await rules.then(before, moved, at)
    applied = _which_applied(reports, {(row["id"], row["status"]) for row in moved})
    logged = [_logged(one, has_moved) for one, has_moved in zip(reports, applied, strict=True)]
    await log_reports(logged, at=at)


def _update(one: MatchedReport) -> StatusUpdate:
    row = one.row
    return StatusUpdate(
        row["id"],
        row["organization_id"],
        row["env"],
        one.status or "",
        one.reason,
        one.at,
        one.receipt,
    )


def _which_applied(reports: Sequence[MatchedReport], ended: set[tuple[str, str]]) -> list[bool]:
    """Whether each report moved its message; of two that say the same, the first did."""
    left = set(ended)
    applied = []
    for one in reports:
        move = (one.row["id"], one.status or "")
        applied.append(move in left)
        left.discard(move)
    return applied


def _logged(one: MatchedReport, has_moved: bool) -> LoggedReport:
    row = one.row
    return LoggedReport(
        row["organization_id"], row["env"], row["id"], one.status, one.reason, one.body, has_moved
    )
