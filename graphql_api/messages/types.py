"""Messages: one interface, and a type for each channel."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry

from core.rcs import NewRcs
from core.sms import NewSms
from graphql_api.connections import hangs
from graphql_api.enums import ENV, wire_enum
from graphql_api.messages.inputs import MessageChannel, MessageDirection, MessageStatus
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.types import Contact

SmsEncoding = wire_enum("SmsEncoding", ("GSM-7", "UCS-2"))
RcsButtonKind = wire_enum("RcsButtonKind", ("openUrl", "call", "reply"))
RcsPath = wire_enum("RcsPath", ("rcs", "sms"))
RcsRoute = wire_enum("RcsRoute", get_args(NewRcs.model_fields["route"].annotation))
SmsRoute = wire_enum("SmsRoute", get_args(NewSms.model_fields["route"].annotation))


@strawberry.interface(description="A message of any channel. Addresses are masked unless the credential has pii:full.")
class Message(Node):
    channel: MessageChannel
    direction: MessageDirection
    env: ENV
    to: str | None = strawberry.field(description="Whom it was sent to; null for what came in")
    from_: str | None = strawberry.field(name="from", description="Who wrote what came in; the sender of an e-mail")
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
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")] | None = hangs("contact")


@strawberry.type(description="An SMS, or the reply to one.")
class SmsMessage(Message):
    provider: str | None
    provider_receipt: JSON | None
    route: SmsRoute | None
    encoding: SmsEncoding | None
    length: int | None
    segments: int | None
    in_reply_to: strawberry.ID | None
    body: str | None = strawberry.field(description="The text of a reply; that of a send is not kept")


@strawberry.type(description="A button of a card; `url` of openUrl, `phone` of call.")
class RcsButton:
    type: RcsButtonKind
    text: str
    url: str | None
    phone: str | None
    postback: str | None


@strawberry.type
class RcsCard:
    title: str
    description: str
    file_url: str | None
    suggestions: list[RcsButton] | None


@strawberry.type(description="Either a text or a card; neither once the contact was erased.")
class RcsContent:
    text: str | None
    card: RcsCard | None


@strawberry.type(description="A rich message.")
class RcsMessage(Message):
    content: RcsContent
    route: RcsRoute
    delivered_via: RcsPath | None = strawberry.field(description="The way it took; null: not known yet")
    failure_reason: str | None


@strawberry.type(description="An e-mail. Of its body only the size is known.")
class EmailMessage(Message):
    organization_id: strawberry.ID
    subject: str
    body_bytes: int
    updated_at: DateTime
