"""Conversations as a channel of messages: WhatsApp and Instagram share their rules."""

from core.conversations.queue.settle import POLICY
from core.conversations.reasons import FailureReason
from core.conversations.record import CONVERSATION_MESSAGE
from core.messaging import CONVERSATIONS, MessageChannel, register

CHANNEL = register(
    MessageChannel(
        channels=CONVERSATIONS,
        sends=None,
        settles=POLICY,
        record=CONVERSATION_MESSAGE,
        reasons=FailureReason,
    )
)
