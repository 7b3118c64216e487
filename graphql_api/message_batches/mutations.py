"""What can be done with batches."""

import strawberry

from core import conversations
from core.foundation.security.caller import Scope
from core.read_models.message_batches import MESSAGE_BATCH
from core.read_models.messages import MESSAGE
from graphql_api.connections import Connection, connection_field, node_field
from graphql_api.inputs import name_input
from graphql_api.message_batches.schema import MessageBatch, ResentMessages, TakenBulk
from graphql_api.messages.schema import ConversationMessage
from graphql_api.mutations import mutation_field, mutation_type

name_input(conversations.Recipient, "BulkRecipientInput")

SEND = Scope.MESSAGES_SEND


@mutation_type
class MessageBatchMutations:
    send_bulk: TakenBulk | None = mutation_field(
        conversations.send_bulk,
        conversations.NewBulk,
        heavy=True,
        scope=SEND,
        keyed=True,
        description=(
            "Send one template to up to 1,000 recipients. Draw a new key for each new bulk."
        ),
    )
    resend_messages: ResentMessages | None = mutation_field(
        conversations.resend_messages,
        conversations.Resend,
        heavy=True,
        scope=SEND,
        description=(
            "Send those again that failed for a passing reason; repeating it sends nothing new."
        ),
    )
    cancel_message_batch: MessageBatch | None = mutation_field(
        conversations.cancel_batch,
        heavy=True,
        scope=SEND,
        answers=MESSAGE_BATCH,
        ids=("id",),
        description="Call off what has not left of a batch: it fails as cancelada.",
    )
    archive_message: ConversationMessage | None = mutation_field(
        conversations.archive_message,
        scope=SEND,
        answers=MESSAGE,
        ids=("id",),
        description=(
            "Put a finished message of a conversation away; nothing comes back from there."
        ),
    )


@strawberry.type
class MessageBatchQueries:
    message_batch: MessageBatch | None = node_field(MESSAGE_BATCH)
    message_batches: Connection[MessageBatch] | None = connection_field(
        MESSAGE_BATCH, description="Bulk sends and resends, newest first"
    )
