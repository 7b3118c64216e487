"""Use case: cancel an e-mail that still waits for its time."""

from core import messaging
from core.email.queries import message_row
from core.email.record import EMAIL_MESSAGE, EmailRecord
from core.foundation.security.caller import Caller, Scope


async def cancel_message(caller: Caller, id: str) -> EmailRecord:
    """Cancel an e-mail that is not in the outbox yet: it fails as `canceled`, and what was held for
    it is given back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.EMAIL_SEND)
    await message_row(caller, id)
    row = await messaging.cancel_queued(caller, id)
    return EMAIL_MESSAGE.make_for(caller, row)
