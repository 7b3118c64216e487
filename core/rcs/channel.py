"""RCS as a channel of messages."""

from core.foundation.security.caller import Scope
from core.messaging import Channel, MessageChannel, register
from core.rcs.queries import get_message
from core.rcs.record import RCS_MESSAGE, RcsFailureReason
from core.rcs.rows import RCS
from core.rcs.settle import POLICY
from core.rcs.validity import EXPIRED

CHANNEL = register(
    MessageChannel(
        channels=(Channel.RCS,),
        sends=RCS,
        settles=POLICY,
        read=Scope.RCS_READ,
        record=RCS_MESSAGE,
        show=get_message,
        reasons=RcsFailureReason,
        abandoned=EXPIRED,
    )
)
