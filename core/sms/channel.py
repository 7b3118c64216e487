"""SMS as a channel of messages."""

from core.messaging import Channel, MessageChannel, register
from core.sms.record import SMS_MESSAGE, SmsFailureReason
from core.sms.rows import SMS
from core.sms.settle import POLICY

CHANNEL = register(
    MessageChannel(
        channels=(Channel.SMS,),
        sends=SMS,
        settles=POLICY,
        record=SMS_MESSAGE,
        reasons=SmsFailureReason,
    )
)
