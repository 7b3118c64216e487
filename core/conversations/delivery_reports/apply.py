"""Applying delivery reports: statuses rise by rank, failures say why, events are published."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messaging
from core.conversations.events import publish_moves
from core.conversations.reasons import reason_of
from core.foundation.database import db
from core.messaging import Status, StatusUpdate


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A step of an outbound message that was accepted. `code` and `error` belong to failed."""

    message_id: str
    organization_id: str
    env: str
    status: str
    at: datetime
    code: str | None = None
    error: str | None = None


async def apply_status_changes(reports: Sequence[StatusChange], *, at: datetime) -> list[db.Row]:
    """Move the messages whose reports raise their rank, in the caller's transaction. Answers these
    rows.
    """
    moved = await messaging.apply_status_updates(
        [
            StatusUpdate(
                one.message_id,
                one.organization_id,
                one.env,
                one.status,
                reason_of(one.code) if one.status == Status.FAILED else None,
                one.at,
            )
            for one in reports
        ],
        at=at,
    )
    rows = await _say_why(list(moved), reports)
    await publish_moves(rows, at=at)
    return rows


async def _say_why(moved: list[db.Row], reports: Sequence[StatusChange]) -> list[db.Row]:
    """The failed ones with their errors; what arrived after all has none any more."""
    failures = {one.message_id: one for one in reports if one.status == Status.FAILED}
    if not any(row["last_error"] is not None or row["id"] in failures for row in moved):
        return moved
    errors = [_error_columns(row, failures.get(row["id"])) for row in moved]
    said = {row["id"]: row for row in await db.fetch(SAY, *db.columns(errors, 3))}
    return [said[row["id"]] if row["status"] == said[row["id"]]["status"] else row for row in moved]


def _error_columns(row: db.Row, failure: StatusChange | None) -> tuple[str, str | None, str | None]:
    if failure is None or row["status"] != Status.FAILED:
        return row["id"], None, None
    return row["id"], failure.error and failure.error[:200], failure.code and failure.code[:20]


SAY = """
UPDATE messages m
SET last_error = s.error, original_error = coalesce(m.original_error, s.error), upstream_code = s.code
FROM unnest($1::text[], $2::text[], $3::text[]) AS s (id, error, code)
WHERE m.id = s.id
RETURNING m.*
"""
