"""Receiving in the sandbox."""

from core.conversations import inbound
from core.dashboards.messages import MESSAGE
from core.foundation.security.caller import Scope
from graphql_api.inputs import name_sets
from graphql_api.messages.types import ConversationMessage
from graphql_api.mutations import deeds, does

name_sets(inbound.NewInbound, type="ReceivedMessageType")


@deeds
class InboundMutations:
    receive_sandbox_message: ConversationMessage | None = does(
        inbound.receive_in_sandbox,
        inbound.NewInbound,
        scope=Scope.MESSAGES_SEND,
        answers=MESSAGE,
        description="Let somebody write to a number or an Instagram account; in the test environment only.",
    )
