"""A batch of messages and what became of its call, as the interface spells them."""

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict

from core.conversations.models import BatchKind, ConversationStatus, ResendRefusal
from core.foundation.records import Column, Doc, Id, Instant, LargeInt, Made, Record, named
from core.foundation.security.caller import Environment


@named(rest="ByStatus", graphql="MessageBatchStatuses")
class BatchStatuses(TypedDict):
    """The messages of a batch by their present status."""

    queued: Annotated[int, Doc("How many wait")]
    sending: Annotated[int, Doc("How many are being handed over")]
    sent: Annotated[int, Doc("How many the platform took")]
    delivered: Annotated[int, Doc("How many reached their device")]
    read: Annotated[int, Doc("How many were opened")]
    failed: Annotated[int, Doc("How many will not arrive")]
    archived: Annotated[int, Doc("How many were put away")]


def _counted(by_status: Mapping[str, int] | None) -> dict[str, int]:
    counts = by_status or {}
    return {status.value: counts.get(status, 0) for status in ConversationStatus}


@named(rest="MessageBatch", graphql="MessageBatch")
class BatchRecord(TypedDict):
    """Messages that were taken in by one call. In a resend, `recusadas` are those that were left."""

    id: Annotated[Id, Doc("Names the batch")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    env: Annotated[Environment, Doc("The environment of the key that sent it")]
    kind: Annotated[BatchKind, Doc("A bulk, or a resend")]
    numberId: NotRequired[Annotated[Id, Doc("The number that all of it leaves from")]]
    templateId: NotRequired[Annotated[Id, Doc("The template that all of it is")]]
    campaignId: NotRequired[Annotated[Id, Doc("The campaign that its messages count for")]]
    aceitas: Annotated[int, Column("accepted"), Doc("How many messages were taken in")]
    recusadas: Annotated[int, Column("refused"), Doc("How many recipients were refused")]
    coinsEstimados: Annotated[
        LargeInt,
        Column("coins_estimated"),
        Doc(
            "Held until the messages leave; 1 coin = 0.0001 BRL. Those inside a service window cost "
            "nothing"
        ),
    ]
    porStatus: Annotated[
        BatchStatuses, Made(_counted, ("by_status",)), Doc("Where its messages are now")
    ]
    canceledAt: NotRequired[Annotated[Instant, Doc("When it was called off")]]
    createdAt: Annotated[Instant, Doc("When it was taken in")]


MESSAGE_BATCH = Record(BatchRecord)

BY_STATUS = """(
    SELECT jsonb_object_agg(n.status, n.messages) FROM (
        SELECT m.status, count(*) AS messages FROM messages m
        WHERE m.organization_id = $1 AND m.env = $2 AND m.batch_id = {0}.id GROUP BY m.status
    ) n
)"""
"""The column `by_status` of a batch: its messages counted, as they are now."""


class RefusedRecipient(TypedDict):
    """A recipient to whom nothing was sent."""

    indice: Annotated[int, Doc("Its place in the call, from 0")]
    codigo: Annotated[str, Doc("The code of the single send, or `repetido`")]


class TakenBulk(TypedDict):
    """What became of a bulk: how many wait to be sent, who was refused, and what is held for it."""

    batchId: Annotated[Id, Doc("Names the batch")]
    aceitas: Annotated[int, Doc("How many messages wait to be sent")]
    recusadas: Annotated[list[RefusedRecipient], Doc("The recipients to whom nothing is sent")]
    coinsEstimados: Annotated[
        LargeInt,
        Doc(
            "Held until the messages leave; 1 coin = 0.0001 BRL. Those inside a service window cost "
            "nothing"
        ),
    ]


class IgnoredMessage(TypedDict):
    """A message that was not sent again, and why."""

    id: Annotated[Id, Doc("The message")]
    motivo: Annotated[ResendRefusal, Doc("Why it was left")]


@named(rest="Resent", graphql="ResentMessages")
class ResentMessages(TypedDict):
    """What became of a resend. Without a batch, nothing was sent again."""

    batchId: Annotated[Id | None, Doc("Null where nothing was sent again, and in a simulation")]
    reenviadas: Annotated[int, Doc("How many messages are sent again")]
    ignoradas: Annotated[list[IgnoredMessage], Doc("The messages that were left")]
    coinsEstimados: Annotated[
        LargeInt,
        Doc(
            "Held until the messages leave; 1 coin = 0.0001 BRL. Those inside a service window cost "
            "nothing"
        ),
    ]
