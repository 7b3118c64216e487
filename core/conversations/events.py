"""Webhook events about conversational messages."""

from collections.abc import Iterable
from datetime import datetime

from core import webhooks
from core.foundation.absent import without_none
from core.foundation.clock import wire_time
from core.messaging import Channel, Status, StoredMessage

TOLD: dict[str, dict[str, str]] = {
    Channel.WHATSAPP: {
        Status.SENT: "message.sent",
        Status.DELIVERED: "message.delivered",
        Status.READ: "message.read",
        Status.FAILED: "message.failed",
    },
    # The closed set of names knows no other moves of Instagram.
    Channel.INSTAGRAM: {
        Status.SENT: "instagram.message.sent",
        Status.FAILED: "instagram.message.failed",
    },
}


async def publish_moves(rows: Iterable[StoredMessage], *, at: datetime) -> None:
    """Publish what outbound messages came to that have just reached their status, in its
    transaction, each at the time of its move.
    """
    events = [
        event_of(row, name, row["updated_at"])
        for row in rows
        if (name := TOLD[row["channel"]].get(row["status"])) is not None
        and row["direction"] == "outbound"
    ]
    await webhooks.publish_many(events, at=at)


def event_of(row: StoredMessage, name: str, at: datetime, **more: object) -> webhooks.NewEvent:
    """One event about a message; `more` are further fields of its data."""
    return webhooks.NewEvent.about(row, name, {**_data(row), **more}, at)


def _told(at: datetime | None) -> str | None:
    return None if at is None else wire_time(at)


def _data(row: StoredMessage) -> dict[str, object]:
    """Unmasked, as events are stored. What the message does not have is absent."""
    person = "to" if row["direction"] == "outbound" else "from"
    data = {
        "id": row["id"],
        "channel": row["channel"],
        "numberId": row["number_id"],
        "instagramAccountId": row["instagram_account_id"],
        person: row["recipient"],
        "type": row["type"],
        "status": row["status"],
        "templateId": row["template_id"],
        "batchId": row["batch_id"],
        "lastError": row["last_error"],
        "upstreamCode": row["upstream_code"],
        "env": row["env"],
        "metadata": row["metadata"],
        "contactId": row["contact_id"],
        "campaignId": row["campaign_id"],
        "createdAt": wire_time(row["created_at"]),
        "sentAt": _told(row["sent_at"]),
        "deliveredAt": _told(row["delivered_at"]),
        "readAt": _told(row["read_at"]),
        "failedAt": _told(row["failed_at"]),
    }
    return without_none(data)
