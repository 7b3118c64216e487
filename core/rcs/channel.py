"""RCS as a channel of messages."""

from core.messaging import Channel, MessageChannel, register
from core.rcs.record import RCS_MESSAGE, RcsFailureReason
from core.rcs.rows import RCS
from core.rcs.settle import POLICY
from core.rcs.validity import EXPIRED

CHANNEL = register(
    MessageChannel(
        channels=(Channel.RCS,),
        sends=RCS,
        settles=POLICY,
        record=RCS_MESSAGE,
        reasons=RcsFailureReason,
        abandoned=EXPIRED,
        marks_by_reason=True,  # while the SMS that stands in is on its way
    )
)
