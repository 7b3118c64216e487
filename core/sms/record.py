"""An SMS as the interface spells it, from a row of the messages table."""

from collections.abc import Mapping
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.validation.phones import mask_phone

OPTIONAL = (
    ("reason", "reason"),
    ("route", "route"),
    ("encoding", "encoding"),
    ("length", "length"),
    ("segments", "segments"),
    ("contactId", "contact_id"),
    ("campaignId", "campaign_id"),
    ("metadata", "metadata"),
)
TIMES = (
    ("scheduledAt", "scheduled_at"),
    ("sentAt", "sent_at"),
    ("deliveredAt", "delivered_at"),
    ("failedAt", "failed_at"),
)


def sms_record(row: Row, *, unmasked: bool) -> dict[str, Any]:
    """The record of list and read. Fields without a value are absent; phones are masked unless told
    otherwise.
    """
    record: dict[str, Any] = {
        "id": row["id"],
        "status": row["status"],
        "env": row["env"],
        "to": row["recipient"],
        "provider": row["provider"],
        "createdAt": wire_time(row["created_at"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    for name, column in TIMES:
        if (at := row[column]) is not None:
            record[name] = wire_time(at)
    if row["provider_receipt"] is not None:
        record["providerReceipt"] = row["provider_receipt"]
    return record if unmasked else masked(record)


def send_record(row: Row) -> dict[str, Any]:
    """The answer to a send, from its message: the unmasked record with its price."""
    return {**sms_record(row, unmasked=True), "billing": {"coins": row["coins"]}}


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with every phone in it masked."""
    shown = {**record, "to": mask_phone(record["to"])}
    if receipt := record.get("providerReceipt"):
        shown["providerReceipt"] = masked_receipt(receipt, shown["to"])
    return shown


def masked_receipt(receipt: Mapping[str, Any], to: str) -> dict[str, Any]:
    """A carrier's receipt with the mask of its phone, which the carrier may spell in its own way."""
    return {**receipt, "to": to}


def event_data(row: Row) -> dict[str, Any]:
    """The `data` of sms.delivered, sms.failed and sms.undelivered; unmasked, as events are stored."""
    record = sms_record(row, unmasked=True)
    return {name: record[name] for name in EVENT_FIELDS if name in record}


EVENT_FIELDS = (
    "id", "to", "route", "status", "reason", "segments", "sentAt", "deliveredAt", "failedAt", "providerReceipt",
    "env", "metadata", "contactId", "campaignId",
)  # fmt: skip
