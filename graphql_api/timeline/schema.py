"""What happened around a contact: one interface, and a type for each kind of entry.

One document selects fields of all of them: where two share a name, it has the same type in both.
"""

from typing import TYPE_CHECKING, Annotated

import strawberry

from core.cards import HistoryKind
from core.conversations import ConversationType
from core.foundation.records import keys_of
from core.read_models.timeline import MOVES, Kind, record
from graphql_api.accounts.schema import Account
from graphql_api.connections import relation_field
from graphql_api.customer_events.schema import Attribution
from graphql_api.enums import enum_among, enum_of
from graphql_api.messages.schema import (
    OLD_REASON,
    FailureReason,
    Message,
    MessageChannel,
    MessageDirection,
    MessageStatus,
)
from graphql_api.records import record_type
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.cards.schema import Card
    from graphql_api.journeys.runs import JourneyRun
    from graphql_api.journeys.schema import Journey
    from graphql_api.numbers.schema import Number
    from graphql_api.pipelines.schema import LostReason, Pipeline
    from graphql_api.push.schema import PushDevice, PushMessage
    from graphql_api.templates.schema import Template

StageMoveKind = enum_among(HistoryKind, "StageMoveKind", MOVES)
SHARED = keys_of(record.EntryRecord)


@strawberry.interface(
    description="Something that happened around a contact. The id is one of its kind's records."
)
class TimelineEntry:
    id: strawberry.ID = strawberry.field(description="Names what happened")
    kind: enum_of(Kind) = strawberry.field(description=SHARED["kind"].doc)
    at: DateTime = strawberry.field(description=SHARED["at"].doc)


@record_type(record.MessageEntryRecord)
class MessageEntry(TimelineEntry):
    channel: MessageChannel
    direction: MessageDirection
    status: MessageStatus
    reason: str | None = strawberry.field(
        description=keys_of(record.MessageEntryRecord)["reason"].doc, deprecation_reason=OLD_REASON
    )
    failure: FailureReason | None
    from_: str | None = strawberry.field(
        name="from", description="Who wrote it; masked unless the credential has pii:full"
    )
    type: enum_of(ConversationType) | None
    message: Message | None = relation_field("message", description="The message itself")
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number of the conversation")
    )
    journey: Annotated["Journey", strawberry.lazy("graphql_api.journeys.schema")] | None = (
        relation_field("journey", description="The journey that sent it")
    )
    journey_run: Annotated["JourneyRun", strawberry.lazy("graphql_api.journeys.runs")] | None = (
        relation_field("journeyRun", description="The contact's way through the journey")
    )
    template: Annotated["Template", strawberry.lazy("graphql_api.templates.schema")] | None = (
        relation_field("template", description="The template that it was made of")
    )


@record_type(record.PushEntryRecord)
class PushEntry(TimelineEntry):
    push_message: Annotated["PushMessage", strawberry.lazy("graphql_api.push.schema")] | None = (
        relation_field("pushMessage", description="The push that it belongs to")
    )
    device: Annotated["PushDevice", strawberry.lazy("graphql_api.push.schema")] | None = (
        relation_field("device", description="The device")
    )


@record_type(record.ClickEntryRecord)
class ClickEntry(TimelineEntry):
    channel: MessageChannel
    message: Message | None = relation_field(
        "message", description="The message that the link stood in"
    )


@record_type(record.CustomerEventEntryRecord)
class CustomerEventEntry(TimelineEntry):
    attribution: Attribution | None


@record_type(record.StageMoveEntryRecord)
class StageMoveEntry(TimelineEntry):
    tipo: StageMoveKind
    card: Annotated["Card", strawberry.lazy("graphql_api.cards.schema")] | None = relation_field(
        "card", description="The card"
    )
    pipeline: Annotated["Pipeline", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("pipeline", description="The pipeline that it was on")
    )
    motivo_perda: (
        Annotated["LostReason", strawberry.lazy("graphql_api.pipelines.schema")] | None
    ) = relation_field("motivoPerda", description="The reason that the deal was lost for")
    por: Account | None = relation_field("por", description="The account that did it")


@record_type(record.ConsentEntryRecord)
class ConsentEntry(TimelineEntry):
    pass


ENTRIES = (MessageEntry, PushEntry, ClickEntry, CustomerEventEntry, StageMoveEntry, ConsentEntry)
"""For the schema, which finds no type that only an interface leads to."""
