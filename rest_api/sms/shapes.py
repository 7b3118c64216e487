"""The SMS shapes of the interface."""

from typing import Literal

from pydantic import Field

from rest_api.support.shapes import Env, Listed, Metadata, Out, Timestamp

SmsRoute = Literal["premium", "otp", "la_dedicada"]
SmsStatus = Literal["queued", "sending", "sent", "delivered", "failed", "undelivered"]
FailureReason = Literal[
    "invalid_number",
    "carrier_rejected",
    "blacklisted",
    "expired",
    "indeterminate",
    "abandoned",
    "canceled",
    "opt_out",
]


class ProviderReceipt(Out):
    """The carrier's report."""

    id: str
    type: Literal["api_message", "api_fast", "api_reply"]
    to: str
    message: str | None = None
    reference: str | None = None
    status: str
    status_description: str
    received: Timestamp | None = None
    bill_factor: float | None = Field(default=None, alias="bill_factor")
    account_id: float | None = Field(default=None, alias="account_id")
    account_reference: str | None = Field(default=None, alias="account_reference")
    channel: Literal["SMS", "RCS", "WHATSAPP"] | None = None


class SmsMessage(Out):
    """An SMS as list and read answer it."""

    id: str
    status: SmsStatus
    env: Env
    reason: FailureReason | None = None
    route: SmsRoute | None = None
    to: str
    provider: Literal["cloud-sns", "cloud-eum", "gateway", "svc-sandbox"]
    encoding: Literal["GSM-7", "UCS-2"] | None = None
    length: int | None = None
    segments: int | None = None
    created_at: Timestamp
    scheduled_at: Timestamp | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    provider_receipt: ProviderReceipt | None = None
    contact_id: str | None = None
    campaign_id: str | None = None
    metadata: Metadata | None = None


class Billing(Out):
    """What a send cost; 1 coin = 0.0001 BRL."""

    coins: int


class SentSms(SmsMessage):
    """The answer to a send."""

    encoding: Literal["GSM-7", "UCS-2"]
    length: int
    segments: int
    billing: Billing
    replayed: bool


class SmsPreview(Out):
    """What a text would become and cost."""

    body: str
    encoding: Literal["GSM-7", "UCS-2"]
    length: int
    segments: int
    billing: Billing | None = None


class SmsPage(Listed):
    """A page of messages, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[SmsMessage]
    total: int
    next_cursor: str | None = None


class SmsReply(Out):
    """What a recipient sent back (MO)."""

    id: str
    env: Env
    in_reply_to: str
    route: SmsRoute | None = None
    from_: str = Field(alias="from")
    body: str
    received_at: Timestamp
    created_at: Timestamp


class SmsReplyPage(Listed):
    """A page of replies, newest first."""

    items: list[SmsReply]
    total: int
    next_cursor: str | None = None
