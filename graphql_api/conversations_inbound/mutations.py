"""Receiving in the sandbox."""

from core.conversations import inbound
from core.foundation.security.caller import Scope
from core.read_models.messages import MESSAGE
from graphql_api.messages.schema import ConversationMessage
from graphql_api.mutations import mutation_field, mutation_type


@mutation_type
class InboundMutations:
    receive_sandbox_message: ConversationMessage | None = mutation_field(
        inbound.receive_in_sandbox,
        inbound.NewInbound,
        scope=Scope.MESSAGES_SEND,
        answers=MESSAGE,
        description="Let somebody write to a number or an Instagram account; in the test "
        "environment only.",
    )
