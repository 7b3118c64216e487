"""Batches of conversational messages."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry

from core.conversations.batches.resendable import Motive
from core.conversations.models import BatchKind
from core.read_models.message_batches import MESSAGE_BATCH
from graphql_api.connections import Connection, relation_connection, relation_field
from graphql_api.enums import ENV, wire_enum
from graphql_api.mutations import payload_field
from graphql_api.nodes.schema import Node
from graphql_api.scalars import BigInt, DateTime

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message
    from graphql_api.numbers.schema import Number
    from graphql_api.templates.schema import Template

MessageBatchKind = wire_enum("MessageBatchKind", BatchKind)
ResendRefusal = wire_enum("ResendRefusal", get_args(Motive))


@strawberry.type(description="A recipient to whom nothing was sent.")
class RefusedRecipient:
    indice: int = strawberry.field(description="Its place in the call, from 0")
    codigo: str = strawberry.field(description="The code of the single send, or repetido")


@strawberry.type(description="The messages of a batch by their present status.")
class MessageBatchStatuses:
    queued: int
    sending: int
    sent: int
    delivered: int
    read: int
    failed: int
    archived: int


@strawberry.type(
    description="Messages that were taken in by one call. In a resend, recusadas are those that "
    "were left."
)
class MessageBatch(Node):
    organization_id: strawberry.ID = strawberry.field(description="Whose batch it is")
    env: ENV = strawberry.field(description="Where it was sent")
    kind: MessageBatchKind = strawberry.field(description="A bulk, or a resend")
    number_id: strawberry.ID | None = strawberry.field(description="The number that it leaves from")
    template_id: strawberry.ID | None = strawberry.field(description="What is sent")
    campaign_id: strawberry.ID | None = strawberry.field(
        description="The campaign that its messages count for"
    )
    aceitas: int = strawberry.field(description="How many messages were taken in")
    recusadas: int = strawberry.field(description="How many recipients were refused")
    coins_estimados: BigInt = strawberry.field(
        description="What all of it costs, if all of it is sent"
    )
    por_status: MessageBatchStatuses = strawberry.field(description="Where its messages are now")
    canceled_at: DateTime | None = strawberry.field(description="When it was called off")
    created_at: DateTime = strawberry.field(description="When it was taken in")
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number that it leaves from")
    )
    template: Annotated["Template", strawberry.lazy("graphql_api.templates.schema")] | None = (
        relation_field("template", description="What is sent")
    )
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Newest first")


@strawberry.type(description="What became of a bulk.")
class TakenBulk:
    batch_id: strawberry.ID
    batch: MessageBatch | None = payload_field(
        MESSAGE_BATCH, lambda told: told["batchId"], description="The batch as it is now"
    )
    aceitas: int
    recusadas: list[RefusedRecipient]
    coins_estimados: BigInt


@strawberry.type(description="A message that was not sent again.")
class IgnoredMessage:
    id: strawberry.ID
    motivo: ResendRefusal


@strawberry.type(description="What became of a resend. Without a batch, nothing was sent again.")
class ResentMessages:
    batch_id: strawberry.ID | None
    batch: MessageBatch | None = payload_field(
        MESSAGE_BATCH,
        lambda told: told["batchId"],
        description="The batch of what was sent again; null where nothing was",
    )
    reenviadas: int
    ignoradas: list[IgnoredMessage]
    coins_estimados: BigInt
