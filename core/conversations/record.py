"""The record of a conversational message, made from a row of the messages table."""

from collections.abc import Collection, Mapping
from typing import Any

from core.conversations.sending.send_request import Record
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.db import Row
from core.foundation.database.rows import HasColumns
from core.foundation.security.masks import mask_payload, mask_phone
from core.messaging.models import Direction
from core.messaging.record import origin_of

OPTIONAL = (
    ("numberId", "number_id"),
    ("instagramAccountId", "instagram_account_id"),
    ("contactId", "contact_id"),
    ("campaignId", "campaign_id"),
    ("metadata", "metadata"),
    ("quoteId", "quote_id"),
    ("templateId", "template_id"),
    ("batchId", "batch_id"),
    ("reprocessed", "reprocessed"),
    ("replacedBy", "replaced_by"),
    ("templateVars", "template_vars"),
    ("lastError", "last_error"),
    ("originalError", "original_error"),
    ("upstreamCode", "upstream_code"),
    ("origemDoLink", "link_origin"),
    ("sentByAccountId", "sent_by_account_id"),
    ("replyTo", "in_reply_to"),
)
TIMES = (
    ("scheduledAt", "scheduled_at"),
    ("sentAt", "sent_at"),
    ("deliveredAt", "delivered_at"),
    ("readAt", "read_at"),
    ("failedAt", "failed_at"),
)


def message_record(
    row: HasColumns, *, masked: bool, names: Mapping[str, str] | None = None
) -> Record:
    """The record of every read and write. Fields without a value are absent; `to` is the person's
    address, whoever wrote. `names`: of the accounts that sent (`names_of`).
    """
    record = _record(row, names or {})
    return masked_record(record) if masked else record


def _record(row: Row, names: Mapping[str, str]) -> Record:
    record: Record = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "channel": row["channel"],
        "to": row["recipient"],
        "type": row["type"],
        "direction": row["direction"],
        "priority": row["priority"] or "normal",
        "status": row["status"],
        "force": bool(row["force"]),
        "payload": row["content"] or {},
        "attempts": row["attempts"] or 0,
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    if row["direction"] == Direction.OUTBOUND:
        record["origem"] = origin_of(row["smpp_account_id"], row["journey_run"])
    if (reference := row["provider_reference"]) is not None:
        record["metaMessageId"] = reference
    if (media := row["media"]) is not None:
        record["mediaStorage"] = {name: media[name] for name in ("mimeType", "size", "storedAt")}
    if (sender := names.get(row["sent_by_account_id"])) is not None:
        record["sentByName"] = sender
    for name, column in TIMES:
        if (at := row[column]) is not None:
            record[name] = wire_time(at)
    return record


def masked_record(record: Mapping[str, Any]) -> Record:
    """The same record with its recipient masked, and without the platform's ids: they hold the
    phone.
    """
    shown = {**record, "to": mask_phone(record["to"]), "payload": mask_payload(record["payload"])}
    shown.pop("metaMessageId", None)
    return shown


async def names_of(organization_id: str, rows: Collection[Row]) -> dict[str, str]:
    """The names of the accounts that sent these messages, by id."""
    ids = {row["sent_by_account_id"] for row in rows if row["sent_by_account_id"] is not None}
    if not ids:
        return {}
    found = await db.fetch(
        "SELECT id, name FROM accounts WHERE organization_id = $1 AND id = ANY ($2)",
        organization_id,
        sorted(ids),
    )
    return {row["id"]: row["name"] for row in found}
