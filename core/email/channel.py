"""E-mail as a channel of messages."""

from core.email.models import EmailFailureReason
from core.email.record import EMAIL_MESSAGE, clicked
from core.email.rows import EMAIL
from core.email.settle import POLICY
from core.email.suppression import SUPPRESSED
from core.messaging import Channel, MessageChannel, register

CHANNEL = register(
    MessageChannel(
        channels=(Channel.EMAIL,),
        sends=EMAIL,
        settles=POLICY,
        record=EMAIL_MESSAGE,
        reasons=EmailFailureReason,
        abandoned=EmailFailureReason.PROVIDER_ERROR,
        opted_out=SUPPRESSED,
        clicked=clicked,
    )
)
