"""Batches of conversational messages."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from core import conversations
from core.read_models.message_batches import MESSAGE_BATCH
from graphql_api.connections import Connection, relation_connection, relation_field
from graphql_api.mutations import payload_field
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message
    from graphql_api.numbers.schema import Number
    from graphql_api.templates.schema import Template


@record_type(conversations.BatchRecord)
class MessageBatch(Node):
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number that it leaves from")
    )
    template: Annotated["Template", strawberry.lazy("graphql_api.templates.schema")] | None = (
        relation_field("template", description="What is sent")
    )
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Newest first")


@record_type(conversations.TakenBulk)
class TakenBulk:
    batch: MessageBatch | None = payload_field(
        MESSAGE_BATCH, lambda told: told["batchId"], description="The batch as it is now"
    )


@record_type(conversations.ResentMessages)
class ResentMessages:
    batch: MessageBatch | None = payload_field(
        MESSAGE_BATCH,
        lambda told: told["batchId"],
        description="The batch of what was sent again; null where nothing was",
    )
