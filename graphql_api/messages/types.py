"""Messages: one interface, and a type for each channel."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry

from core.sms import NewSms
from graphql_api.connections import hangs
from graphql_api.enums import ENV, wire_enum
from graphql_api.messages.inputs import MessageChannel, MessageDirection, MessageStatus
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.types import Contact

SmsEncoding = wire_enum("SmsEncoding", ("GSM-7", "UCS-2"))
SmsRoute = wire_enum("SmsRoute", get_args(NewSms.model_fields["route"].annotation))


@strawberry.interface(description="A message of any channel. Addresses are masked unless the credential has pii:full.")
class Message(Node):
    channel: MessageChannel
    direction: MessageDirection
    env: ENV
    to: str | None = strawberry.field(description="Whom it was sent to; null for what came in")
    from_: str | None = strawberry.field(name="from", description="Who wrote it; null for what went out")
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
