"""The webhook events of e-mails."""

from collections.abc import Iterable
from datetime import datetime

from core import webhooks
from core.email.record import event_data
from core.messaging import Status, StoredMessage

EVENT_OF_STATUS: dict[str, str] = {
    Status.DELIVERED: "email.delivered",
    Status.BOUNCED: "email.bounced",
    Status.COMPLAINED: "email.complained",
    # It was accepted, and will not arrive: who waits for its end hears of it in the same place.
    # `status` tells which.
    Status.FAILED: "email.bounced",
}


async def publish_moves(rows: Iterable[StoredMessage], *, at: datetime) -> None:
    """Publish what messages came to that have just reached their status."""
    events = [
        event_of(row, EVENT_OF_STATUS[row["status"]], at)
        for row in rows
        if row["status"] in EVENT_OF_STATUS
    ]
    await webhooks.publish_many(events, at=at)


def event_of(row: StoredMessage, name: str, at: datetime, **more: object) -> webhooks.NewEvent:
    """One event about a message."""
    return webhooks.NewEvent.about(row, name, event_data(row, **more), at)
