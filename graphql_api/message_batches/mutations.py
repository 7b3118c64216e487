"""What can be done with batches."""

from core import conversations
from core.conversations.sending.send_request import Priority
from core.dashboards.messages import MESSAGE
from core.foundation.security.caller import Scope
from graphql_api.inputs import call, spell
from graphql_api.message_batches.types import MessageBatch, ResentMessages, TakenBulk
from graphql_api.messages.types import ConversationMessage, MessagePriority
from graphql_api.mutations import deeds, does

call(conversations.Recipient, "BulkRecipientInput")
spell(Priority, MessagePriority)

SEND = Scope.MESSAGES_SEND


@deeds
class MessageBatchMutations:
    send_bulk: TakenBulk | None = does(
        conversations.send_bulk,
        conversations.NewBulk,
        heavy=True,
        scope=SEND,
        keyed=True,
        description="One template for up to 1,000 recipients. Draw a new key for each new bulk.",
    )
    resend_messages: ResentMessages | None = does(
        conversations.resend_messages,
        conversations.Resend,
        heavy=True,
        scope=SEND,
        description="Those that failed for a passing reason; repeating it sends nothing new.",
    )
    cancel_message_batch: MessageBatch | None = does(
        conversations.cancel_batch,
        heavy=True,
        scope=SEND,
        ids=("id",),
        description="What has not left fails as cancelada.",
    )
    archive_message: ConversationMessage | None = does(
        conversations.archive_message,
        scope=SEND,
        answers=MESSAGE,
        ids=("id",),
        description="Of a conversation, and finished; nothing comes back from there.",
    )


@deeds
class MessageBatchQueries:
    message_batch: MessageBatch | None = does(
        conversations.get_batch, scope=Scope.MESSAGES_READ, ids=("id",)
    )
