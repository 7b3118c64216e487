"""Every channel of messages, in the order in which their rules are told: a new one is a line here.

Push is none of them: a dispatch is no message (docs/decisions/0026-one-settlement.md).
"""

from core import conversations, email, rcs, sms
from core.messaging import Channel, MessageChannel

MESSAGE_CHANNELS = (sms.CHANNEL, rcs.CHANNEL, email.CHANNEL, conversations.CHANNEL)

BY_NAME: dict[Channel, MessageChannel] = {
    name: channel for channel in MESSAGE_CHANNELS for name in channel.channels
}

FAILURE_REASONS: dict[str, str] = {
    reason.value: reason.description
    for channel in reversed(MESSAGE_CHANNELS)
    for reason in channel.reasons
}
"""Why a message may not arrive, on whichever channel, with what it means; where several know a reason,
as the first of them says it.
"""
