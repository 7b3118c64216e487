"""Every channel, in the order in which their rules are told: a new one is a line here."""

from core import conversations, email, push, rcs, sms
from core.messaging import Channel, MessageChannel

PACKAGES = (sms.PACKAGE, rcs.PACKAGE, email.PACKAGE, conversations.PACKAGE, push.PACKAGE)

MESSAGE_CHANNELS = tuple(one.messages for one in PACKAGES if one.messages is not None)

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
