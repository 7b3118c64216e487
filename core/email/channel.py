"""E-mail as a channel of messages."""

from core.email.models import EmailFailureReason
from core.email.queries import get_message
from core.email.record import EMAIL_MESSAGE
from core.email.rows import EMAIL
from core.email.settle import POLICY
from core.email.suppression import SUPPRESSED
from core.foundation.security.caller import Scope
from core.messaging import Channel, MessageChannel, register

CHANNEL = register(
    MessageChannel(
        channels=(Channel.EMAIL,),
        sends=EMAIL,
        settles=POLICY,
        read=Scope.EMAIL_READ,
        record=EMAIL_MESSAGE,
        show=get_message,
        reasons=EmailFailureReason,
        abandoned=EmailFailureReason.PROVIDER_ERROR,
        opted_out=SUPPRESSED,
    )
)
