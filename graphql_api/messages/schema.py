"""Messages: one interface, and a type for each channel."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry
from strawberry import UNSET

from core import messaging, rcs
from core.conversations.sending.send_request import MessageType, Priority
from core.messaging import Channel, Direction, Status
from core.read_models.messages import MESSAGE
from core.read_models.threads import CONVERSATION
from core.sms import SmsEncoding, SmsOrigin, SmsRoute
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.decisions.schema import Decision
from graphql_api.enums import ENV, enum_of, order_enum, wire_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.quotes.schema import Quote
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON, BigInt, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact
    from graphql_api.journeys.runs import JourneyRun
    from graphql_api.message_batches.schema import MessageBatch
    from graphql_api.numbers.schema import Number
    from graphql_api.smpp.schema import SmppAccount
    from graphql_api.templates.schema import Template


MessageChannel = wire_enum("Channel", Channel)
MessageDirection = wire_enum("Direction", Direction)
MessageStatus = wire_enum("MessageStatus", Status)
MessageOrder = order_enum("MessageOrder", MESSAGE)


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class MessageFilter:
    channel: list[MessageChannel] | None = UNSET
    status: list[MessageStatus] | None = UNSET
    direction: MessageDirection | None = UNSET
    contact_id: strawberry.ID | None = UNSET
    company_id: strawberry.ID | None = UNSET
    campaign_id: strawberry.ID | None = UNSET
    number_id: strawberry.ID | None = UNSET
    batch_id: strawberry.ID | None = UNSET
    template_id: strawberry.ID | None = UNSET
    to: str | None = strawberry.field(
        default=UNSET,
        description="The whole address; a phone in any form, an e-mail address in any case",
    )
    created_at: Period | None = UNSET
    q: str | None = strawberry.field(
        default=UNSET,
        description="A part of the text, the caption or the subject, in any case, with or without "
        "accents; goes with contactId",
    )


@strawberry.input(description="Conditions that all hold.")
class ConversationFilter:
    number_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The number, or the account at Instagram, that was written to"
    )
    contact_id: strawberry.ID | None = strawberry.field(default=UNSET, description="Who wrote")
    window_open: bool | None = strawberry.field(
        default=UNSET, description="Those that may be answered freely now, or that may not"
    )


ConversationType = wire_enum("ConversationType", get_args(MessageType))
MessagePriority = wire_enum("MessagePriority", get_args(Priority))
LinkSource = wire_enum("LinkSource", ("google", "meta", "tiktok", "outra"))


@strawberry.type(description="A link of a message that was sent with trackLinks.")
class ShortLink:
    short_url: str = strawberry.field(description="What stands in the text")
    url: str = strawberry.field(description="Where it leads")
    clicks: BigInt = strawberry.field(description="How often people opened it")
    bot_clicks: BigInt = strawberry.field(description="How often scanners and previews opened it")
    last_clicked_at: DateTime | None = strawberry.field(description="When a person last opened it")


@strawberry.interface(
    description="A message of any channel. Addresses are masked unless the credential has pii:full."
)
class Message(Node):
    channel: MessageChannel
    direction: MessageDirection
    env: ENV
    to: str | None = strawberry.field(
        description="Whom it was sent to; null for what came in, but in conversations, where it "
        "is the person in both"
    )
    from_: str | None = strawberry.field(
        name="from", description="Who wrote what came in; the sender of an e-mail"
    )
    status: MessageStatus
    reason: str | None
    contact_id: strawberry.ID | None
    campaign_id: strawberry.ID | None
    metadata: JSON | None
    created_at: DateTime
    sent_at: DateTime | None
    delivered_at: DateTime | None
    read_at: DateTime | None
    failed_at: DateTime | None
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact")
    )
    links: list[ShortLink] | None = relation_field(
        "links", description="Its short links, in the order of its text"
    )
    quote_id: strawberry.ID | None = strawberry.field(
        description="The quote by which it was priced"
    )
    quote: Quote | None = relation_field("quote", description="The quote by which it was priced")
    origem: type_of(messaging.MessageOrigin) | None = strawberry.field(
        description="Where it came from; null of what came in"
    )
    journey_run: Annotated["JourneyRun", strawberry.lazy("graphql_api.journeys.runs")] | None = (
        relation_field("journeyRun", description="The run of a journey that it was sent for")
    )
    smpp_account: Annotated["SmppAccount", strawberry.lazy("graphql_api.smpp.schema")] | None = (
        relation_field("smppAccount", description="The account of SMPP that it came by")
    )
    decisao: Decision | None = relation_field(
        "decisao",
        description="Why it was sent, or why not, rule by rule; null of what came in",
    )


Origin = type_of(SmsOrigin)


@strawberry.type(description="An SMS, or the reply to one.")
class SmsMessage(Message):
    provider: str | None
    provider_receipt: JSON | None
    route: enum_of(SmsRoute) | None
    encoding: enum_of(SmsEncoding) | None
    length: int | None
    segments: int | None
    in_reply_to: strawberry.ID | None
    origem: Origin | None = strawberry.field(description="What sent it; null of a reply")
    body: str | None = strawberry.field(
        description="The text of a reply; that of a send is not kept"
    )
    scheduled_at: DateTime | None = strawberry.field(
        description="When it was to leave, of what was sent with a time"
    )


@strawberry.type(description="A button of a card; `url` of openUrl, `phone` of call.")
class RcsButton:
    type: enum_of(rcs.RcsButtonKind) = strawberry.field(description="What it does")
    text: str = strawberry.field(description="What is written on it")
    url: str | None = strawberry.field(description="The address of the page that it opens")
    phone: str | None = strawberry.field(description="The number that it dials")
    postback: str | None = strawberry.field(
        description="What your system is told when the button is used"
    )


@record_type(rcs.RcsCard)
class RcsCard:
    suggestions: list[RcsButton] | None


@record_type(rcs.RcsContent)
class RcsContent:
    card: RcsCard | None


@record_type(rcs.RcsRecord)
class RcsMessage(Message):
    """A rich message."""

    content: RcsContent
    failure_reason: str | None
    delivered_via: enum_of(rcs.RcsPath) | None = strawberry.field(
        description="The way it took; null: not known yet"
    )


@strawberry.type(description="An e-mail. Of its body only the size is known.")
class EmailMessage(Message):
    organization_id: strawberry.ID
    subject: str
    body_bytes: int
    updated_at: DateTime
    scheduled_at: DateTime | None = strawberry.field(
        description="When it was to leave, of what was sent with a time"
    )


@strawberry.type(description="Our copy of the file in a message.")
class MediaStorage:
    mime_type: str = strawberry.field(description="As its bytes tell")
    size: BigInt
    stored_at: DateTime


@strawberry.type(description="The advertisement that a received message came from.")
class LinkOrigin:
    fonte: LinkSource
    fonte_rotulo: str | None = strawberry.field(description="Where fonte is OUTRA")
    campanha: str | None
    grupo: str | None
    anuncio: str | None
    palavra_chave: str | None
    codigo: str | None


@strawberry.type(
    description="A message of a conversation, on WhatsApp or Instagram, in either direction."
)
class ConversationMessage(Message):
    organization_id: strawberry.ID
    number_id: strawberry.ID | None
    instagram_account_id: strawberry.ID | None
    type: ConversationType
    payload: JSON = strawberry.field(
        description="Its shape goes by type; empty once the contact was erased"
    )
    template_id: strawberry.ID | None
    template_vars: list[str] | None
    batch_id: strawberry.ID | None
    reply_to: strawberry.ID | None
    priority: MessagePriority
    force: bool = strawberry.field(description="It waited for no token and no quiet hours")
    reprocessed: bool | None
    replaced_by: strawberry.ID | None
    attempts: int
    last_error: str | None
    original_error: str | None = strawberry.field(
        description="Why it failed at first; never overwritten"
    )
    upstream_code: str | None
    meta_message_id: str | None = strawberry.field(
        description="The platform's id; it holds the phone, so it is null without pii:full"
    )
    origem_do_link: LinkOrigin | None
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number")
    )
    template: Annotated["Template", strawberry.lazy("graphql_api.templates.schema")] | None = (
        relation_field("template")
    )
    batch: (
        Annotated["MessageBatch", strawberry.lazy("graphql_api.message_batches.schema")] | None
    ) = relation_field("batch", description="The batch that it was taken in with")
    sent_by_account: Account | None = relation_field(
        "sentByAccount", description="The person who sent it by hand"
    )
    media_storage: MediaStorage | None
    media_url: str | None = relation_field(
        "mediaUrl",
        description="Opens our copy of the file for 90 minutes, without a credential; null where there is none",
    )
    sent_by_account_id: strawberry.ID | None
    sent_by_name: str | None
    scheduled_at: DateTime | None
    updated_at: DateTime


@strawberry.type(
    description="A contact and the number, or the account at Instagram, that it wrote to: one for "
    "each two."
)
class Conversation:
    channel: MessageChannel = strawberry.field(description="WHATSAPP or INSTAGRAM")
    contact_id: strawberry.ID = strawberry.field(description="Who wrote")
    number_id: strawberry.ID | None = strawberry.field(description="The number that was written to")
    instagram_account_id: strawberry.ID | None = strawberry.field(
        description="The account at Instagram that was written to"
    )
    last_inbound_at: DateTime = strawberry.field(description="When the contact last wrote")
    window_ends_at: DateTime = strawberry.field(
        description="Until when anything may be answered, and not only templates"
    )
    unread: int = strawberry.field(
        description="How many messages came in since the last one of ours"
    )
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact", description="Who wrote")
    )
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number that was written to")
    )
    last_message: ConversationMessage | None = relation_field(
        "lastMessage", description="The newest, in either direction"
    )
    messages: Connection[ConversationMessage] | None = relation_connection(
        "messages", description="In either direction, newest first"
    )


@strawberry.type
class MessageQueries:
    conversations: Connection[Conversation] | None = connection_field(
        CONVERSATION,
        filter=ConversationFilter,
        description="Those in which somebody wrote last come first",
    )
    message: Message | None = node_field(MESSAGE)
    messages: Connection[Message] | None = connection_field(
        MESSAGE,
        filter=MessageFilter,
        order=MessageOrder,
        description="Of every channel, newest first",
    )
