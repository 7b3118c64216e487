"""An RCS message as the interface spells it, from a row of the messages table."""

from collections.abc import Mapping
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.validation.phones import mask_phone
from core.messaging import Status

OPTIONAL = (
    ("channel", "path"),
    ("contactId", "contact_id"),
    ("campaignId", "campaign_id"),
    ("metadata", "metadata"),
)
TIMES = (
    ("scheduledAt", "scheduled_at"),
    ("sentAt", "sent_at"),
    ("deliveredAt", "delivered_at"),
    ("readAt", "read_at"),
)


def rcs_record(row: Row, *, unmasked: bool) -> dict[str, Any]:
    """The record of every answer. Fields without a value are absent; `to` is masked unless told
    otherwise.
    """
    record: dict[str, Any] = {
        "id": row["id"],
        "to": row["recipient"],
        "content": row["content"] or {},
        "route": row["route"],
        "status": row["status"],
        "env": row["env"],
        "createdAt": wire_time(row["created_at"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    if (reason := failure_reason(row)) is not None:
        record["failureReason"] = reason
    for name, column in TIMES:
        if (at := row[column]) is not None:
            record[name] = wire_time(at)
    return record if unmasked else masked(record)


def failure_reason(row: Row) -> str | None:
    """Why a message failed. While the fallback is on its way the reason is kept, but nothing has
    failed.
    """
    reason: str | None = row["reason"]
    return reason if row["status"] == Status.FAILED else None


def answer_of(row: Row) -> dict[str, Any]:
    """The answer to a send: the unmasked record."""
    return rcs_record(row, unmasked=True)


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with its phone masked."""
    return {**record, "to": mask_phone(record["to"])}


def event_data(row: Row) -> dict[str, Any]:
    """The `data` of rcs.delivered, rcs.read and rcs.failed; unmasked, as events are stored."""
    record = rcs_record(row, unmasked=True)
    return {name: record[name] for name in EVENT_FIELDS if name in record}


EVENT_FIELDS = (
    "id", "to", "route", "status", "channel", "failureReason", "env", "metadata", "contactId", "campaignId",
)  # fmt: skip
