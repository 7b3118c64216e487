"""SMS as a channel of messages."""

from core.foundation.security.caller import Scope
from core.messaging import Channel, MessageChannel, register
from core.sms.queries import get_message
from core.sms.record import SMS_MESSAGE, SmsFailureReason
from core.sms.rows import SMS
from core.sms.settle import POLICY

CHANNEL = register(
    MessageChannel(
        channels=(Channel.SMS,),
        sends=SMS,
        settles=POLICY,
        read=Scope.SMS_READ,
        record=SMS_MESSAGE,
        show=get_message,
        reasons=SmsFailureReason,
    )
)
