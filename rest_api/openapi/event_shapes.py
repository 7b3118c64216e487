"""The `data` of events."""

from typing import Literal

from pydantic import Field

from core.contacts import OptInStatus, OptOutChannel, Source
from core.conversations.inputs import ConversationStatus
from core.foundation.security.caller import Env
from core.numbers import Quality, Tier
from core.rcs.inputs import RcsPath, RcsStatus
from core.templates.inputs import Language
from rest_api.conversations.payload_shapes import ReceivedPayload
from rest_api.conversations.shapes import ConversationChannel, ConversationType, LinkOrigin
from rest_api.email.shapes import EmailReason, EmailStatus
from rest_api.rcs.shapes import RcsFailureReason, RcsRoute
from rest_api.sms.shapes import FailureReason, ProviderReceipt, SmsRoute, SmsStatus
from rest_api.support.shapes import Metadata, Out, Timestamp


class AboutMessage(Out):
    """What every event about a message carries, where the message has it; `metadata` is what came
    with the send.

    `truncated`: the data was too long for an event, and its texts are cut.
    """

    env: Env
    metadata: Metadata | None = None
    contact_id: str | None = None
    campaign_id: str | None = None
    truncated: bool | None = None


class SmsOutcome(AboutMessage):
    """How the delivery of an SMS went."""

    id: str
    to: str
    route: SmsRoute | None = None
    status: SmsStatus
    reason: FailureReason | None = None
    segments: int | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    provider_receipt: ProviderReceipt | None = None


class SmsReceived(AboutMessage):
    """A reply of a recipient."""

    id: str
    in_reply_to: str
    route: SmsRoute | None = None
    from_: str = Field(alias="from")
    body: str
    received_at: Timestamp


class MessageReceived(AboutMessage):
    """What a person wrote."""

    id: str
    channel: Literal["whatsapp", "instagram"]
    number_id: str | None = None
    instagram_account_id: str | None = None
    from_: str = Field(alias="from")
    type: Literal["text", "media", "interactive"]
    payload: ReceivedPayload
    origem_do_link: LinkOrigin | None = None
    received_at: Timestamp


class LinkClicked(AboutMessage):
    """A short link was opened. `bot`: by a scanner or a preview, which is counted apart; `first`:
    the first person.
    """

    message_id: str
    url: str
    clicked_at: Timestamp
    first: bool
    bot: bool
    user_agent: str | None = None


class RcsOutcome(AboutMessage):
    """How an RCS message went on; `channel` tells whether it left by RCS or as the SMS that stood
    in.
    """

    id: str
    to: str
    route: RcsRoute
    status: RcsStatus
    channel: RcsPath | None = None
    failure_reason: RcsFailureReason | None = None


class EmailOutcome(AboutMessage):
    """What became of an e-mail. A letter that was accepted and never left bounces with the status
    `failed`.
    """

    id: str
    to: str
    subject: str
    status: EmailStatus
    reason: EmailReason | None = None


class EmailOpened(EmailOutcome):
    """A letter was opened; `bot`: by a scanner or a preview."""

    bot: bool


class EmailClicked(EmailOpened):
    """A tracked link of a letter was opened. `first`: by the first person; `url` is absent where
    none is tracked.
    """

    url: str | None = None
    clicked_at: Timestamp | None = None
    first: bool | None = None
    user_agent: str | None = None


class ConversationOutcome(AboutMessage):
    """How a message of a conversation went on."""

    id: str
    channel: ConversationChannel
    number_id: str | None = None
    instagram_account_id: str | None = None
    to: str
    type: ConversationType
    status: ConversationStatus
    template_id: str | None = None
    batch_id: str | None = None
    last_error: str | None = None
    upstream_code: str | None = None
    created_at: Timestamp
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    read_at: Timestamp | None = None
    failed_at: Timestamp | None = None


class Rating(Out):
    """How the platform rates a number."""

    quality_rating: Quality
    messaging_tier: Tier


class TemplateDecided(Out):
    """A template that the platform decided on. `rejectionReason` is its own word."""

    template_id: str
    env: Env
    name: str
    language: Language
    version: int
    rejection_reason: str | None = None


class NumberRated(Out):
    """What was, and what is; at least one of the two values differs."""

    number_id: str
    from_: Rating = Field(alias="from")
    to: Rating
    env: Env


class WalletLow(Out):
    """The balance and the line it fell below, in coins."""

    saldo_coins: int
    limite_coins: int
    env: Env


class ApiKeyEvent(Out):
    """A key was issued; never the key itself."""

    key_id: str
    name: str
    env: Env
    scopes: list[str]
    created_by_id: str


class ApiKeyReplaced(ApiKeyEvent):
    """A key was replaced: `keyId` is the old one."""

    replaced_by_id: str


class ConsentStatus(Out):
    """What a new contact consented to."""

    status: OptInStatus


class ContactCreated(Out):
    """A new contact, without personal data: read it by its id. `truncated`: its texts are cut, they
    were too long.
    """

    id: str
    env: Env
    source: Source
    external_id: str | None = None
    tags: list[str]
    opt_in: ConsentStatus
    truncated: bool | None = None


class ContactOptedOut(Out):
    """Who asked not to receive messages, on which channel (`todos`: all), when and why."""

    id: str
    env: Env
    phone: str
    channel: OptOutChannel
    reason: str | None = None
    source: str | None = None
    at: Timestamp


class CampaignTotals(Out):
    """The messages of a campaign by how far they came: each counts for every step that it took."""

    queued: int
    sent: int
    delivered: int
    read: int
    failed: int


class CampaignCompleted(Out):
    """A campaign that is over: the messages of a tag, on whatever channels they went out."""

    env: Env
    campaign_id: str
    totals: CampaignTotals
    started_at: Timestamp
    completed_at: Timestamp


class PingData(Out):
    """Nothing: a ping only asks whether somebody answers."""
