"""What happened around a contact: one interface, and a type for each kind of entry.

One document selects fields of all of them: where two share a name, it has the same type in both.
"""

import strawberry

from core.contacts import OptInStatus, OptOutChannel
from core.read_models.timeline import MOVES
from graphql_api.customer_events.schema import Attribution
from graphql_api.enums import enum_of, wire_enum
from graphql_api.messages.schema import (
    ConversationType,
    MessageChannel,
    MessageDirection,
    MessageStatus,
)
from graphql_api.push.schema import PushDeliveryStatus, PushPlatform
from graphql_api.scalars import JSON, BigInt, DateTime
from graphql_api.subscriptions.schema import PassedStage
from graphql_api.timeline.filters import TimelineKind

ConsentChannel = enum_of(OptOutChannel)
ContactOptIn = enum_of(OptInStatus)
StageMoveKind = wire_enum("StageMoveKind", MOVES)


@strawberry.interface(
    description="Something that happened around a contact. The id is one of its kind's records."
)
class TimelineEntry:
    id: strawberry.ID
    kind: TimelineKind
    at: DateTime


@strawberry.type(description="A message that went out or came in; at is when it was created.")
class MessageEntry(TimelineEntry):
    channel: MessageChannel
    direction: MessageDirection
    status: MessageStatus
    reason: str | None
    to: str | None = strawberry.field(
        description="Whom it was sent to, of a conversation also who wrote; masked unless the "
        "credential has pii:full"
    )
    from_: str | None = strawberry.field(name="from", description="Who wrote it; masked likewise")
    body: str | None = strawberry.field(
        description="Of a reply or a conversation; that of other sends is not kept"
    )
    subject: str | None = strawberry.field(description="Of an e-mail")
    type: ConversationType | None = strawberry.field(description="Of a conversation")
    number_id: strawberry.ID | None
    template_id: strawberry.ID | None
    in_reply_to: strawberry.ID | None
    campaign_id: strawberry.ID | None
    sent_at: DateTime | None
    delivered_at: DateTime | None
    read_at: DateTime | None
    failed_at: DateTime | None


@strawberry.type(
    description="A notification to a device of the contact; at is when its dispatch was created."
)
class PushEntry(TimelineEntry):
    push_message_id: strawberry.ID
    device_id: strawberry.ID
    platform: PushPlatform
    delivery_status: PushDeliveryStatus
    titulo: str = strawberry.field(description="Its title; empty for data alone")
    opened_at: DateTime | None


@strawberry.type(
    description="A short link that a person followed; at is when it was first. Those that only "
    "machines followed are "
    "no entries. The id is the link's code."
)
class ClickEntry(TimelineEntry):
    channel: MessageChannel
    message_id: strawberry.ID
    short_url: str
    url: str = strawberry.field(description="Where it leads")
    host: str | None
    clicks: BigInt = strawberry.field(description="By people, until now")
    bot_clicks: BigInt = strawberry.field(description="By machines, until now")
    last_clicked_at: DateTime | None = strawberry.field(description="By people")


@strawberry.type(description="A customer event; at is when it occurred.")
class CustomerEventEntry(TimelineEntry):
    name: str
    event_id: str
    value: float | None
    currency: str | None
    properties: JSON | None
    attribution: Attribution | None


@strawberry.type(
    description="A card that the contact is on came into a stage: new, moved, won, lost, reopened."
)
class StageMoveEntry(TimelineEntry):
    tipo: StageMoveKind
    card_id: strawberry.ID
    titulo: str = strawberry.field(description="As the card is called today")
    pipeline_id: strawberry.ID
    de: PassedStage | None
    para: PassedStage | None
    motivo_perda_id: strawberry.ID | None
    por_id: strawberry.ID | None
    por_nome: str | None


@strawberry.type(
    description="A move of the contact's consent; at is its date, which may lie before its "
    "recording."
)
class ConsentEntry(TimelineEntry):
    canal: ConsentChannel
    opt_in_status: ContactOptIn
    source: str | None
    reason: str | None


ENTRIES = (MessageEntry, PushEntry, ClickEntry, CustomerEventEntry, StageMoveEntry, ConsentEntry)
"""For the schema, which finds no type that only an interface leads to."""
