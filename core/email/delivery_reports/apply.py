"""Applying delivery reports to e-mails: status, suppression, event."""

from collections.abc import Sequence
from datetime import datetime

from core import messaging
from core.email.events import publish_moves
from core.email.settle import HARD
from core.email.suppression import NewSuppression, suppress
from core.messaging import Status, StatusUpdate, StoredMessage


async def apply_moves(receipts: Sequence[StatusUpdate], *, at: datetime) -> None:
    """Move the messages whose reports raise their rank, in the caller's transaction."""
    await follow_moves(await messaging.apply_status_updates(receipts, at=at), at=at)


async def follow_moves(moved: Sequence[StoredMessage], *, at: datetime) -> None:
    """What follows from the new states: a hard bounce and a complaint suppress the address."""
    await suppress(
        [
            NewSuppression(
                row["organization_id"], row["env"], row["recipient"], row["reason"] or "", row["id"]
            )
            for row in moved
            if row["status"] == Status.COMPLAINED
            or (row["status"] == Status.BOUNCED and row["reason"] == HARD)
        ],
        at=at,
    )
    await publish_moves(moved, at=at)
