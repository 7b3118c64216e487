"""The e-mail shapes of the interface."""

from typing import Literal

from pydantic import Field

from rest_api.sms.shapes import Billing, MessageOrigin
from rest_api.support.shapes import Env, Listed, Metadata, Out, Timestamp

EmailStatus = Literal["queued", "sent", "delivered", "bounced", "complained", "failed"]
EmailReason = Literal[
    "invalid_address",
    "mailbox_full",
    "suppressed",
    "content_rejected",
    "complaint",
    "provider_error",
    "no_verified_sender",
    "canceled",
]


class EmailMessage(Out):
    """An e-mail as list and read answer it. Of its body only the size is known: `bodyBytes` of HTML
    and text.
    """

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
    quote_id: str | None = None
    scheduled_at: Timestamp | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    created_at: Timestamp
    updated_at: Timestamp
    origem: MessageOrigin | None = Field(
        default=None, description="Where it came from; absent from the answer to its send"
    )


class SentEmail(EmailMessage):
    """The answer to a send."""

    billing: Billing
    replayed: bool


class EmailPage(Listed):
    """A page of e-mails, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[EmailMessage]
    total: int
    next_cursor: str | None = None


class Suppression(Out):
    """An address that nothing is sent to; `to` is absent once the contact was erased."""

    id: str = Field(description="A keyed hash of the address")
    to: str | None = None
    reason: EmailReason
    message_id: str | None = Field(default=None, description="The message whose report told")
    created_at: Timestamp


class SuppressionPage(Listed):
    """A page of suppressed addresses, the newest first."""

    items: list[Suppression]
    total: int
    next_cursor: str | None = None
