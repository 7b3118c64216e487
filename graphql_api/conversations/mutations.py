"""What can be done with single messages of conversations."""

from core import conversations
from core.conversations.sending.send_request import MessageType, Priority
from core.dashboards.messages import MESSAGE
from core.foundation.security.caller import Scope
from graphql_api.inputs import spell
from graphql_api.messages.types import ConversationMessage, ConversationType, MessagePriority
from graphql_api.mutations import deeds, does

spell(MessageType, ConversationType)
spell(Priority, MessagePriority)


@deeds
class ConversationMutations:
    send_message: ConversationMessage | None = does(
        conversations.send_message,
        conversations.NewMessage,
        scope=Scope.MESSAGES_SEND,
        keyed=True,
        answers=MESSAGE,
        description="Queued at once; it leaves afterwards. Draw a new key for each new message.",
    )
    force_message: ConversationMessage | None = does(
        conversations.force_message,
        conversations.ForcedMessage,
        scope=Scope.MESSAGES_FORCE,
        keyed=True,
        answers=MESSAGE,
        description="It waits for no bucket and no quiet hours, and is audited. Draw a new key for each new message.",
    )
    cancel_message: ConversationMessage | None = does(
        conversations.cancel_message,
        scope=Scope.MESSAGES_SEND,
        ids=("id",),
        answers=MESSAGE,
        description="Of a conversation, and still waiting; what was held for it is given back.",
    )
