"""Messages: one interface, and a type for each channel."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry import UNSET

from core import messaging, rcs
from core.channels import FAILURE_REASONS
from core.conversations import ConversationRecord
from core.email import EmailRecord
from core.messaging import Channel, Direction, Status
from core.read_models.messages import MESSAGE
from core.read_models.threads import CONVERSATION
from core.short_links import ShortLinkRecord
from core.sms import SmsRecord
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.decisions.schema import Decision
from graphql_api.enums import ENV, OLD_NAMES_END, described_enum, enum_of, order_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.quotes.schema import Quote
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact
    from graphql_api.journeys.runs import JourneyRun
    from graphql_api.message_batches.schema import MessageBatch
    from graphql_api.numbers.schema import Number
    from graphql_api.smpp.schema import SmppAccount
    from graphql_api.templates.schema import Template


MessageChannel = enum_of(Channel)
MessageDirection = enum_of(Direction)
MessageStatus = enum_of(Status)
ShortLink = type_of(ShortLinkRecord)
MessageOrder = order_enum("MessageOrder", MESSAGE)
FailureReason = described_enum(
    "FailureReason", FAILURE_REASONS, description="Why a message did not arrive."
)
OLD_REASON = f"Read `failure`, which is an enum; until {OLD_NAMES_END}."


def _part(*, description: str) -> Any:
    return strawberry.field(default=UNSET, description=description)


@strawberry.input(
    description="Conditions that all hold. A value that does not exist matches nothing."
)
class MessageFilter:
    channel: list[MessageChannel] | None = _part(description="Messages on these channels")
    status: list[MessageStatus] | None = _part(description="Messages in one of these statuses")
    direction: MessageDirection | None = _part(
        description="Those that were sent, or those that came in"
    )
    contact_id: strawberry.ID | None = _part(description="To or from this contact")
    company_id: strawberry.ID | None = _part(description="To or from the contacts of this company")
    campaign_id: strawberry.ID | None = _part(description="Those that were sent with this tag")
    number_id: strawberry.ID | None = _part(
        description="What was said with this number, either way"
    )
    batch_id: strawberry.ID | None = _part(description="Those of this bulk send, or of this resend")
    template_id: strawberry.ID | None = _part(description="Those that were sent from this template")
    to: str | None = strawberry.field(
        default=UNSET,
        description="The whole address; a phone in any form, an e-mail address in any case",
    )
    created_at: Period | None = _part(
        description="Those that were accepted, or came in, in this period"
    )
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


@strawberry.interface(
    description="A message of any channel. Addresses are masked unless the credential has pii:full."
)
class Message(Node):
    channel: MessageChannel = strawberry.field(description="The channel that it takes")
    direction: MessageDirection = strawberry.field(description="Who wrote it")
    env: ENV = strawberry.field(description="The environment that it belongs to")
    to: str | None = strawberry.field(
        description="Whom it was sent to; null for what came in, but in conversations, where it "
        "is the person in both"
    )
    from_: str | None = strawberry.field(
        name="from", description="Who wrote what came in; the sender of an e-mail"
    )
    status: MessageStatus = strawberry.field(description="How far it has come")
    reason: str | None = strawberry.field(
        description="Why it did not arrive, as a text in the words of REST",
        deprecation_reason=OLD_REASON,
    )
    failure: FailureReason | None = strawberry.field(description="Why it did not arrive")
    contact_id: strawberry.ID | None = strawberry.field(description="The contact that it is with")
    campaign_id: strawberry.ID | None = strawberry.field(
        description="A tag of your own for the messages of one campaign"
    )
    metadata: JSON | None = strawberry.field(description="What your system sent along with it")
    created_at: DateTime = strawberry.field(description="When it was accepted, or came in")
    sent_at: DateTime | None = strawberry.field(description="When the provider took it")
    delivered_at: DateTime | None = strawberry.field(
        description="When it arrived, as the carrier or the platform tells it"
    )
    read_at: DateTime | None = strawberry.field(
        description="When the recipient opened it, where that is told"
    )
    failed_at: DateTime | None = strawberry.field(description="When it was known not to arrive")
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact", description="The contact that it is with")
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


@record_type(SmsRecord)
class SmsMessage(Message):
    """An SMS, or the reply to one."""

    provider: str | None
    in_reply_to: strawberry.ID | None = strawberry.field(
        description="Of a reply: the message that is answered"
    )
    body: str | None = strawberry.field(
        description="The text of a reply; that of a send is not kept"
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


@record_type(EmailRecord)
class EmailMessage(Message):
    """An e-mail. Of its body only the size is known."""


@record_type(ConversationRecord)
class ConversationMessage(Message):
    """A message of a conversation, on WhatsApp or Instagram, in either direction."""

    meta_message_id: str | None = strawberry.field(
        description="The platform's id; it holds the phone, so it is null without pii:full"
    )
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number of ours that sent or received it")
    )
    template: Annotated["Template", strawberry.lazy("graphql_api.templates.schema")] | None = (
        relation_field("template", description="The template that was sent")
    )
    batch: (
        Annotated["MessageBatch", strawberry.lazy("graphql_api.message_batches.schema")] | None
    ) = relation_field("batch", description="The batch that it was taken in with")
    sent_by_account: Account | None = relation_field(
        "sentByAccount", description="The person who sent it by hand"
    )
    media_url: str | None = relation_field(
        "mediaUrl",
        description="Opens our copy of the file for 90 minutes, without a credential; null where there is none",
    )


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
