"""An e-mail as the interface spells it, from a row of the messages table."""

from collections.abc import Mapping
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.database.rows import HasColumns
from core.foundation.security.masks import mask_email
from core.messaging.record import origin_of

OPTIONAL = (
    ("reason", "reason"),
    ("contactId", "contact_id"),
    ("campaignId", "campaign_id"),
    ("metadata", "metadata"),
    ("quoteId", "quote_id"),
)
TIMES = (
    ("scheduledAt", "scheduled_at"),
    ("sentAt", "sent_at"),
    ("deliveredAt", "delivered_at"),
    ("failedAt", "failed_at"),
)


def email_record(row: Row, *, unmasked: bool) -> dict[str, object]:
    """The record of list and read. Fields without a value are absent; the recipient is masked
    unless told otherwise.
    """
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "env": row["env"],
        "to": row["recipient"],
        "from": row["sender_address"],
        "subject": row["subject"],
        "bodyBytes": row["body_bytes"],
        "status": row["status"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
        "origem": origin_of(row["smpp_account_id"], row["journey_run"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    for name, column in TIMES:
        if (at := row[column]) is not None:
            record[name] = wire_time(at)
    return record if unmasked else masked(record)


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with its recipient masked."""
    return {**record, "to": mask_email(record["to"])}


def send_record(row: HasColumns) -> dict[str, object]:
    """The answer to a send, from its message: the unmasked record with its price."""
    record = email_record(row, unmasked=True)
    del record["origem"]  # whoever sends knows it
    return {**record, "billing": {"coins": row["coins"]}}


def event_data(row: HasColumns, **more: object) -> dict[str, object]:
    """The `data` of email.*; unmasked, as events are stored. What the message does not have is
    absent.
    """
    data = {
        "id": row["id"],
        "to": row["recipient"],
        "subject": row["subject"],
        "status": row["status"],
        "reason": row["reason"],
        **more,
        "env": row["env"],
        "metadata": row["metadata"],
        "contactId": row["contact_id"],
        "campaignId": row["campaign_id"],
    }
    return {name: value for name, value in data.items() if value is not None}
