"""Use case: cancel an SMS that still waits."""

from core import messaging
from core.foundation.security.caller import Caller, Scope
from core.sms.queries import message_row
from core.sms.record import SMS_MESSAGE, SmsRecord


async def cancel_message(caller: Caller, id: str) -> SmsRecord:
    """Cancel a message that still waits: it fails as `canceled`, and what was held for it is given
    back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.SMS_SEND)
    await message_row(caller, id)
    row = await messaging.cancel_queued(caller, id)
    return SMS_MESSAGE.make_for(caller, row)
