"""The webhook event of a received message."""

from typing import Any

from core import webhooks
from core.foundation.clock import wire_time
from core.foundation.database.db import Row


def received_event(row: Row) -> webhooks.NewEvent:
    """message.received, or instagram.message.received, of a new row; unmasked, as events are
    stored.
    """
    name = "instagram.message.received" if row["channel"] == "instagram" else "message.received"
    return webhooks.NewEvent(
        row["organization_id"], row["env"], name, _data(row), row["delivered_at"], row["request_id"]
    )


def _data(row: Row) -> dict[str, Any]:
    data = {
        "id": row["id"],
        "env": row["env"],
        "channel": row["channel"],
        "numberId": row["number_id"],
        "instagramAccountId": row["instagram_account_id"],
        "from": row["recipient"],
        "type": row["type"],
        "payload": row["content"],
        "contactId": row["contact_id"],
        "origemDoLink": row["link_origin"],
        "receivedAt": wire_time(row["delivered_at"]),
    }
    return {name: value for name, value in data.items() if value is not None}
