"""Applying delivery reports: statuses rise by rank, failures say why, events are published."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messaging
from core.conversations.events import publish_moves
from core.conversations.reasons import reason_of
from core.messaging import Status, StatusUpdate, StoredMessage


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


async def apply_status_changes(
    reports: Sequence[StatusChange], *, at: datetime
) -> Sequence[StoredMessage]:
    """Move the messages whose reports raise their rank, in the caller's transaction. Answers these
    rows.
    """
    rows = await messaging.apply_status_updates([_update(one) for one in reports], at=at)
    await publish_moves(rows, at=at)
    return rows


def _update(one: StatusChange) -> StatusUpdate:
    failed = one.status == Status.FAILED
    return StatusUpdate(
        one.message_id,
        one.organization_id,
        one.env,
        one.status,
        reason_of(one.code) if failed else None,
        one.at,
        error=one.error if failed else None,
        code=one.code if failed else None,
    )
