"""Batches of conversational messages."""

from typing import get_args

import strawberry

from core.conversations.batches.resendable import Motive
from core.conversations.models import BatchKind
from graphql_api.enums import ENV, wire_enum
from graphql_api.scalars import BigInt, DateTime

MessageBatchKind = wire_enum("MessageBatchKind", BatchKind)
ResendRefusal = wire_enum("ResendRefusal", get_args(Motive))


@strawberry.type(description="A recipient to whom nothing was sent.")
class RefusedRecipient:
    indice: int = strawberry.field(description="Its place in the call, from 0")
    codigo: str = strawberry.field(description="The code of the single send, or repetido")


@strawberry.type(description="What became of a bulk.")
class TakenBulk:
    batch_id: strawberry.ID
    aceitas: int
    recusadas: list[RefusedRecipient]
    coins_estimados: BigInt


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
class MessageBatch:
    id: strawberry.ID
    organization_id: strawberry.ID
    env: ENV
    kind: MessageBatchKind
    number_id: strawberry.ID | None
    template_id: strawberry.ID | None
    campaign_id: strawberry.ID | None
    aceitas: int
    recusadas: int
    coins_estimados: BigInt
    por_status: MessageBatchStatuses
    canceled_at: DateTime | None
    created_at: DateTime


@strawberry.type(description="A message that was not sent again.")
class IgnoredMessage:
    id: strawberry.ID
    motivo: ResendRefusal


@strawberry.type(description="What became of a resend. Without a batch, nothing was sent again.")
class ResentMessages:
    batch_id: strawberry.ID | None
    reenviadas: int
    ignoradas: list[IgnoredMessage]
    coins_estimados: BigInt
