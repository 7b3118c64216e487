"""Webhook events about conversational messages."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from core import webhooks
from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.messaging import Channel, Status

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


async def publish_moves(rows: Iterable[Row], *, at: datetime) -> None:
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


def event_of(row: Row, name: str, at: datetime, **more: Any) -> webhooks.NewEvent:
    """One event about a message; `more` are further fields of its data."""
    return webhooks.NewEvent(
        row["organization_id"], row["env"], name, {**_data(row), **more}, at, row["request_id"]
    )


def _data(row: Row) -> dict[str, Any]:
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
        **{
            name: None if row[column] is None else wire_time(row[column])
            for name, column in (
                ("createdAt", "created_at"),
                ("sentAt", "sent_at"),
                ("deliveredAt", "delivered_at"),
                ("readAt", "read_at"),
                ("failedAt", "failed_at"),
            )
        },
    }
    return {name: value for name, value in data.items() if value is not None}
