"""What happened around a contact: one interface, and a type for each kind of entry.

One document selects fields of all of them: where two share a name, it has the same type in both.
"""

import strawberry

from core.cards import HistoryKind
from core.foundation.records import keys_of
from core.read_models.timeline import MOVES, Kind, record
from graphql_api.customer_events.schema import Attribution
from graphql_api.enums import enum_among, enum_of
from graphql_api.messages.schema import (
    ConversationType,
    MessageChannel,
    MessageDirection,
    MessageStatus,
)
from graphql_api.records import record_type
from graphql_api.scalars import DateTime

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
    from_: str | None = strawberry.field(
        name="from", description="Who wrote it; masked unless the credential has pii:full"
    )
    type: ConversationType | None


@record_type(record.PushEntryRecord)
class PushEntry(TimelineEntry):
    pass


@record_type(record.ClickEntryRecord)
class ClickEntry(TimelineEntry):
    channel: MessageChannel


@record_type(record.CustomerEventEntryRecord)
class CustomerEventEntry(TimelineEntry):
    attribution: Attribution | None


@record_type(record.StageMoveEntryRecord)
class StageMoveEntry(TimelineEntry):
    tipo: StageMoveKind


@record_type(record.ConsentEntryRecord)
class ConsentEntry(TimelineEntry):
    pass


ENTRIES = (MessageEntry, PushEntry, ClickEntry, CustomerEventEntry, StageMoveEntry, ConsentEntry)
"""For the schema, which finds no type that only an interface leads to."""
