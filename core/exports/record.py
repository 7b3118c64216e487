"""A row of an export as the interface spells it, from a row of the messages table."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.security.masks import mask_address

COLUMNS = (
    "id, channel, direction, recipient, status, campaign_id, contact_id, metadata, created_at, "
    "sent_at, delivered_at, "
    "read_at, failed_at, reason"
)

OPTIONAL = (
    ("campaignId", "campaign_id"),
    ("contactId", "contact_id"),
    ("contactExternalId", "external_id"),
    ("metadata", "metadata"),
    ("reason", "reason"),
)
TIMES = (
    ("sentAt", "sent_at"),
    ("deliveredAt", "delivered_at"),
    ("readAt", "read_at"),
    ("failedAt", "failed_at"),
)


def export_record(row: Row, *, unmasked: bool) -> dict[str, Any]:
    """The row. Fields without a value are absent; `to` is the person, whoever wrote, masked unless
    told otherwise.
    """
    recipient = row["recipient"]
    record: dict[str, Any] = {
        "id": row["id"],
        "channel": row["channel"],
        "direction": row["direction"],
        "to": recipient if unmasked else mask_address(recipient),
        "status": row["status"],
        "createdAt": wire_time(row["created_at"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    for name, column in TIMES:
        if (at := row[column]) is not None:
            record[name] = wire_time(at)
    return record
