"""The export row of the interface."""

from typing import Literal

from rest_api.support.shapes import Listed, Metadata, Out, Timestamp


class ExportRow(Out):
    """A message with what it belongs to. `to` is the person, also where that person wrote."""

    id: str
    channel: Literal["whatsapp", "sms", "rcs", "email", "instagram"]
    direction: Literal["outbound", "inbound"]
    to: str
    status: str
    campaign_id: str | None = None
    contact_id: str | None = None
    contact_external_id: str | None = None
    metadata: Metadata | None = None
    created_at: Timestamp
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    read_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    reason: str | None = None
    segments: int | None = None
    delivered_via: Literal["rcs", "sms"] | None = None
    subject: str | None = None


class ExportPage(Listed):
    """A page of an export, newest first; `nextCursor` is null on the last one."""

    items: list[ExportRow]
    next_cursor: str | None
