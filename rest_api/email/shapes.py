"""The e-mail shapes of the interface."""

from typing import Literal

from pydantic import Field

from rest_api.sms.shapes import Billing
from rest_api.support.shapes import Env, Metadata, Out, Timestamp

EmailStatus = Literal["queued", "sent", "delivered", "bounced", "complained", "failed"]
EmailReason = Literal[
    "invalid_address",
    "mailbox_full",
    "suppressed",
    "content_rejected",
    "complaint",
    "provider_error",
    "no_verified_sender",
]


class EmailMessage(Out):
    """An e-mail as list and read answer it. Of its body only the size is known: `bodyBytes` of HTML and text."""

    id: str
    organization_id: str
    env: Env
    to: str
    from_: str = Field(alias="from")
    subject: str
    body_bytes: int
    status: EmailStatus
    reason: EmailReason | None = None
    contact_id: str | None = None
    campaign_id: str | None = None
    metadata: Metadata | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    created_at: Timestamp
    updated_at: Timestamp


class SentEmail(EmailMessage):
    """The answer to a send."""

    billing: Billing
    replayed: bool


class EmailPage(Out):
    """A page of e-mails, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[EmailMessage]
    total: int
    next_cursor: str | None = None
