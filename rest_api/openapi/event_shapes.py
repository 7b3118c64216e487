"""The `data` of events."""

from typing import Any

from pydantic import Field

from core.contacts import OptInStatus, OptOutChannel, Source
from core.conversations import ConversationChannel, ConversationStatus, ConversationType
from core.conversations.inbound import ReceivedMessageType
from core.email import EmailFailureReason, EmailStatus
from core.foundation.security.caller import Env
from core.numbers import Quality, Tier
from core.rcs import RcsFailureReason, RcsPath, RcsRoute, RcsStatus
from core.sms import SmsFailureReason, SmsRoute, SmsStatus
from core.templates import TemplateLanguage
from rest_api.conversations.payload_shapes import ReceivedPayload
from rest_api.conversations.shapes import LinkOrigin
from rest_api.sms.shapes import ProviderReceipt
from rest_api.support.shapes import Metadata, Out, Timestamp


class AboutMessage(Out):
    """What every event about a message carries, where the message has it; `metadata` is what came
    with the send.

    `truncated`: the data was too long for an event, and its texts are cut.
    """

    env: Env = Field(description="The environment that it happened in")
    metadata: Metadata | None = Field(
        default=None, description="What your system sent along with the message"
    )
    contact_id: str | None = Field(
        default=None,
        description="The contact that the message went to or came from, where there is one",
    )
    campaign_id: str | None = Field(
        default=None,
        description="The tag of your own for the messages of one campaign, where it has one",
    )
    truncated: bool | None = Field(
        default=None, description="True: the data was too long for an event, and its texts are cut"
    )


class SmsOutcome(AboutMessage):
    """How the delivery of an SMS went."""

    id: str = Field(description="The SMS")
    to: str = Field(description="The phone that it went to, in E.164")
    route: SmsRoute | None = Field(default=None, description="The route that it took")
    status: SmsStatus = Field(description="How far it has come")
    reason: SmsFailureReason | None = Field(default=None, description="Why it did not arrive")
    segments: int | None = Field(
        default=None, description="How many SMS the text took; each is charged"
    )
    sent_at: Timestamp | None = Field(default=None, description="When the provider took it")
    delivered_at: Timestamp | None = Field(
        default=None, description="When it arrived, as the carrier tells it"
    )
    failed_at: Timestamp | None = Field(default=None, description="When it was known not to arrive")
    provider_receipt: ProviderReceipt | None = Field(
        default=None, description="What the carrier reported, as it told it"
    )


class SmsReceived(AboutMessage):
    """A reply of a recipient."""

    id: str = Field(description="The reply")
    in_reply_to: str = Field(description="The SMS that is answered")
    route: SmsRoute | None = Field(default=None, description="The route that the SMS took")
    from_: str = Field(alias="from", description="The phone that it came from, in E.164")
    body: str = Field(description="What the recipient wrote")
    received_at: Timestamp = Field(description="When it came in")


class MessageReceived(AboutMessage):
    """What a person wrote."""

    id: str = Field(description="The message")
    channel: ConversationChannel = Field(description="The channel that it came over")
    number_id: str | None = Field(default=None, description="The number that was written to")
    instagram_account_id: str | None = Field(
        default=None, description="The Instagram account that was written to"
    )
    from_: str = Field(
        alias="from", description="Who wrote: a phone in E.164, or an id of the platform"
    )
    type: ReceivedMessageType = Field(description="What kind of message it is")
    payload: ReceivedPayload = Field(description="What was written, by its kind")
    origem_do_link: LinkOrigin | None = Field(
        default=None,
        description="The advertisement that the person came from, where it came from one",
    )
    received_at: Timestamp = Field(description="When it came in")


class LinkClicked(AboutMessage):
    """A short link was opened. `bot`: by a scanner or a preview, which is counted apart; `first`:
    the first person.
    """

    message_id: str = Field(description="The message whose link it is")
    url: str = Field(description="The address that the link leads to")
    clicked_at: Timestamp = Field(description="When it was opened")
    first: bool = Field(description="True for the first person who opened it")
    bot: bool = Field(description="True where a scanner or a preview opened it and no person")
    user_agent: str | None = Field(
        default=None, description="The browser that opened it, where it said what it is"
    )


class RcsOutcome(AboutMessage):
    """How an RCS message went on; `channel` tells whether it left by RCS or as the SMS that stood
    in.
    """

    id: str = Field(description="The message")
    to: str = Field(description="The phone that it went to, in E.164")
    route: RcsRoute = Field(description="The route that it took")
    status: RcsStatus = Field(description="How far it has come")
    channel: RcsPath | None = Field(
        default=None, description="Whether it left by RCS or as the SMS that stood in"
    )
    failure_reason: RcsFailureReason | None = Field(
        default=None, description="Why it did not arrive"
    )


class EmailOutcome(AboutMessage):
    """What became of an e-mail. An e-mail that was accepted and never left bounces with the status
    `failed`.
    """

    id: str = Field(description="The e-mail")
    to: str = Field(description="The address that it went to")
    subject: str = Field(description="Its subject")
    status: EmailStatus = Field(description="How far it has come")
    reason: EmailFailureReason | None = Field(default=None, description="Why it did not arrive")


class EmailOpened(EmailOutcome):
    """An e-mail was opened; `bot`: by a scanner or a preview."""

    bot: bool = Field(description="True where a scanner or a preview opened it and no person")


class EmailClicked(EmailOpened):
    """A tracked link of an e-mail was opened. `first`: by the first person; `url` is absent where
    none is tracked.
    """

    url: str | None = Field(
        default=None, description="The address that the link leads to; absent where none is tracked"
    )
    clicked_at: Timestamp | None = Field(default=None, description="When it was opened")
    first: bool | None = Field(default=None, description="True for the first person who opened it")
    user_agent: str | None = Field(
        default=None, description="The browser that opened it, where it said what it is"
    )


class ConversationOutcome(AboutMessage):
    """How a message of a conversation went on."""

    id: str = Field(description="The message")
    channel: ConversationChannel = Field(description="The channel that it takes")
    number_id: str | None = Field(default=None, description="The number that it leaves from")
    instagram_account_id: str | None = Field(
        default=None, description="The Instagram account that it leaves from"
    )
    to: str = Field(description="Whom it goes to: a phone in E.164, or an id of the platform")
    type: ConversationType = Field(description="What kind of message it is")
    status: ConversationStatus = Field(description="How far it has come")
    template_id: str | None = Field(default=None, description="The template that it was made of")
    batch_id: str | None = Field(
        default=None, description="The bulk send or the resend that it belongs to"
    )
    last_error: str | None = Field(default=None, description="Why it did not arrive")
    upstream_code: str | None = Field(
        default=None, description="The platform's code of the failure"
    )
    created_at: Timestamp = Field(description="When it was asked for")
    sent_at: Timestamp | None = Field(default=None, description="When the platform took it")
    delivered_at: Timestamp | None = Field(
        default=None, description="When it arrived, as the platform tells it"
    )
    read_at: Timestamp | None = Field(
        default=None, description="When the recipient opened it, where that is told"
    )
    failed_at: Timestamp | None = Field(default=None, description="When it was known not to arrive")


class Rating(Out):
    """How the platform rates a number."""

    quality_rating: Quality = Field(description="The platform's rating by what recipients report")
    messaging_tier: Tier = Field(
        description="To how many people it lets the number open conversations in 24 hours"
    )


class TemplateDecided(Out):
    """A template that the platform decided on. `rejectionReason` is its own word."""

    template_id: str = Field(description="The template")
    env: Env = Field(description="The environment of the template")
    name: str = Field(description="What it is called")
    language: TemplateLanguage = Field(description="The language that it is written in")
    version: int = Field(description="Which version was decided on")
    rejection_reason: str | None = Field(
        default=None, description="Why it was not approved, in the platform's own word"
    )


class NumberRated(Out):
    """What was, and what is; at least one of the two values differs."""

    number_id: str = Field(description="The number")
    from_: Rating = Field(alias="from", description="What was")
    to: Rating = Field(description="What is; at least one of the two values differs")
    env: Env = Field(description="The environment of the number")


class WalletLow(Out):
    """The balance and the line it fell below, in coins."""

    saldo_coins: int = Field(description="What may still be spent; 1 coin = 0.0001 BRL")
    limite_coins: int = Field(description="The line; 1 coin = 0.0001 BRL")
    env: Env = Field(description="The environment of the wallet")


class ApiKeyEvent(Out):
    """A key was issued; never the key itself."""

    key_id: str = Field(description="The key; never its text")
    name: str = Field(description="What the key is called")
    env: Env = Field(description="The environment that the key works in")
    scopes: list[str] = Field(description="What the key may do")
    created_by_id: str = Field(description="The account that issued it")


class ApiKeyReplaced(ApiKeyEvent):
    """A key was replaced: `keyId` is the old one."""

    replaced_by_id: str = Field(description="The key that took its place")


class ConsentStatus(Out):
    """What a new contact consented to."""

    status: OptInStatus = Field(description="The consent that is in force")


class ContactCreated(Out):
    """A new contact, without personal data: read it by its id. `truncated`: its texts are cut, they
    were too long.
    """

    id: str = Field(description="The contact")
    env: Env = Field(description="The environment of the contact")
    source: Source = Field(description="What made the contact")
    external_id: str | None = Field(default=None, description="The id in your own system")
    tags: list[str] = Field(description="Words by which contacts are grouped")
    opt_in: ConsentStatus = Field(description="What the person consented to")
    truncated: bool | None = Field(
        default=None, description="True: the data was too long for an event, and its texts are cut"
    )


class ContactOptedOut(Out):
    """Who asked not to receive messages, on which channel (`todos`: all), when and why."""

    id: str = Field(description="The contact")
    env: Env = Field(description="The environment of the contact")
    phone: str = Field(description="The phone of the contact, in E.164")
    channel: OptOutChannel = Field(
        description="The channel that the person closed; `todos`: every one"
    )
    reason: str | None = Field(default=None, description="Why the person closed it")
    source: str | None = Field(default=None, description="Where it was asked for")
    at: Timestamp = Field(description="Since when it is closed")


class CampaignTotals(Out):
    """The messages of a campaign by how far they came: each counts for every step that it took."""

    queued: int = Field(description="How many were asked for")
    sent: int = Field(description="How many were handed over")
    delivered: int = Field(description="How many arrived")
    read: int = Field(description="How many were read, where that is told")
    failed: int = Field(description="How many will not arrive")


class CampaignCompleted(Out):
    """A campaign that is over: the messages of a tag, on whatever channels they went out."""

    env: Env = Field(description="The environment of the campaign")
    campaign_id: str = Field(description="The tag of your own for its messages")
    totals: CampaignTotals = Field(description="How far its messages came")
    started_at: Timestamp = Field(description="When the first of them was asked for")
    completed_at: Timestamp = Field(description="When it was seen to be over")


class JourneyTold(Out):
    """What every event of a journey tells."""

    env: Env = Field(description="The environment of the journey")
    journey_id: str = Field(description="The journey, or the version of it")
    versao: int = Field(description="The number of this version")
    em: Timestamp = Field(description="When it happened")


class JourneyEntered(JourneyTold):
    """Who entered a journey: one contact, or so many at once that only their number is told."""

    quantidade: int = Field(
        description="How many; 1 with `journeyRunId` and `contactId`, more without them"
    )
    journey_run_id: str | None = Field(
        default=None, description="The contact's way through the journey; absent of many at once"
    )
    contact_id: str | None = Field(default=None, description="The contact; absent of many at once")


class JourneyCompleted(JourneyEntered):
    """Who came to the end of a journey, or to its goal."""

    motivo: str | None = Field(
        default=None,
        description="`meta`: the goal was reached; else the reason of the step that ended it, "
        "absent where it gives none",
    )


class JourneyPaused(JourneyTold):
    """A journey that stands still until it is resumed."""

    motivo: str | None = Field(
        default=None,
        description="Why the service paused it, as in `pausadaPor`; absent where somebody did",
    )
    passo: str | None = Field(
        default=None, description="The step at which it happened, where it was at one"
    )
    rotulo: str | None = Field(default=None, description="What people call the step")


class JourneyCalled(Out):
    """A step of a journey that calls another system, for one contact."""

    env: Env = Field(description="The environment of the journey")
    journey_id: str = Field(description="The journey, or the version of it")
    step_id: str = Field(description="The step that calls")
    journey_run_id: str = Field(description="The contact's way through the journey")
    contact_id: str = Field(description="The contact")
    corpo: dict[str, Any] = Field(description="What the step posts; empty where it names nothing")


class PingData(Out):
    """Nothing: a ping only asks whether somebody answers."""
