"""The log of delivery reports: each that moved a message, or came too late to do so, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from core import messaging
from core.conversations.queue.settle import is_erased
from core.conversations.reasons import reason_of
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.messaging import LoggedReport, Status, StoredMessage
from core.messaging.moves import RANK
from core.providers.platform import StatusReport

Move: TypeAlias = tuple[str, str]
"""A message and its new status."""


@dataclass(frozen=True, slots=True)
class MatchedStatusReport:
    """A delivery report and its (locked) message, as it was before all of them."""

    report: StatusReport
    row: StoredMessage

    @property
    def id(self) -> str:
        """The message's."""
        id: str = self.row["id"]
        return id

    @property
    def move(self) -> Move:
        """What is told several times is done once."""
        return self.id, self.report.status


async def log_reports(
    matched: Sequence[MatchedStatusReport], moved: set[Move], *, at: datetime
) -> None:
    """Keep, once, what moved a message, and what came too late to do so, which somebody may ask
    about.
    """
    reached = _highest_ranks(matched, moved)
    told = {one.move: one for one in matched if _is_worth_logging(one, moved, reached)}
    logged = await _already_logged([move for move in told if move not in moved])
    receipts = [
        _receipt(one, has_moved=move in moved) for move, one in told.items() if move not in logged
    ]
    await messaging.log_reports(receipts, at=at)


def _highest_ranks(matched: Sequence[MatchedStatusReport], moved: set[Move]) -> dict[str, int]:
    reached: dict[str, int] = {one.id: RANK[Status(one.row["status"])] for one in matched}
    for id, status in moved:
        reached[id] = max(reached[id], RANK[Status(status)])
    return reached


def _is_worth_logging(one: MatchedStatusReport, moved: set[Move], reached: dict[str, int]) -> bool:
    if one.move in moved or one.report.status == "failed":
        return True
    return RANK[Status(one.report.status)] < reached[one.id]


async def _already_logged(moves: Sequence[Move]) -> set[Move]:
    rows = await db.fetch_for(moves, LOGGED, *db.columns(moves, 2))
    return {(row["message_id"], row["status"]) for row in rows}


def _receipt(one: MatchedStatusReport, *, has_moved: bool) -> LoggedReport:
    report, row = one.report, one.row
    return LoggedReport(
        row["organization_id"],
        row["env"],
        one.id,
        report.status,
        reason_of(report.code) if report.status == "failed" else None,
        _body(one),
        has_moved,
    )


def _body(one: MatchedStatusReport) -> dict[str, str | None]:
    """Of an erased person nothing is kept: the platform's ids of messages hold the phone."""
    if is_erased(one.row):
        return {}
    report = one.report
    return {"reference": report.reference, "at": wire_time(report.at), "code": report.code}


LOGGED = """
SELECT DISTINCT r.message_id, r.status FROM message_receipts r
JOIN unnest($1::text[], $2::text[]) AS m (message_id, status) USING (message_id, status)
"""
