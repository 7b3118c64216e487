"""Conversations as a channel of messages: WhatsApp and Instagram share their rules."""

from core.conversations.queries import get_message
from core.conversations.queue.settle import POLICY
from core.conversations.reasons import FailureReason
from core.conversations.record import CONVERSATION_MESSAGE
from core.foundation.security.caller import Scope
from core.messaging import CONVERSATIONS, MessageChannel, register

CHANNEL = register(
    MessageChannel(
        channels=CONVERSATIONS,
        sends=None,
        settles=POLICY,
        read=Scope.MESSAGES_READ,
        record=CONVERSATION_MESSAGE,
        show=get_message,
        reasons=FailureReason,
    )
)
