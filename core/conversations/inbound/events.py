"""The webhook event of a received message."""

from datetime import datetime

from core import webhooks
from core.foundation.absent import without_none
from core.foundation.clock import wire_time
from core.messaging import StoredMessage


def received_event(row: StoredMessage) -> webhooks.NewEvent:
    """message.received, or instagram.message.received, of a new row; unmasked, as events are
    stored.
    """
    name = "instagram.message.received" if row["channel"] == "instagram" else "message.received"
    return webhooks.NewEvent.about(row, name, _data(row), _came_in(row))


def _came_in(row: StoredMessage) -> datetime:
    assert row["delivered_at"] is not None, "what came in has it from the start"
    return row["delivered_at"]


def _data(row: StoredMessage) -> dict[str, object]:
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
        "receivedAt": wire_time(_came_in(row)),
    }
    return without_none(data)
