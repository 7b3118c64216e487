"""What can be done with single messages of conversations."""

from core import conversations
from core.foundation.security.caller import Scope
from core.read_models.messages import MESSAGE
from graphql_api.messages.schema import ConversationMessage
from graphql_api.mutations import mutation_field, mutation_type


@mutation_type
class ConversationMutations:
    send_message: ConversationMessage | None = mutation_field(
        conversations.send_message,
        conversations.NewMessage,
        scope=Scope.MESSAGES_SEND,
        keyed=True,
        answers=MESSAGE,
        description=(
            "Send a message of a conversation: it is queued at once and leaves afterwards. "
            "Draw a new key for each new message."
        ),
    )
    force_message: ConversationMessage | None = mutation_field(
        conversations.force_message,
        conversations.ForcedMessage,
        scope=Scope.MESSAGES_FORCE,
        keyed=True,
        answers=MESSAGE,
        description=(
            "Send a message of a conversation before all others: it waits for no bucket and "
            "no quiet hours, and is audited. Draw a new key for each new message."
        ),
    )
    cancel_message: ConversationMessage | None = mutation_field(
        conversations.cancel_message,
        scope=Scope.MESSAGES_SEND,
        ids=("id",),
        answers=MESSAGE,
        description=(
            "Call off a message of a conversation that still waits; what was held for it is "
            "given back."
        ),
    )
