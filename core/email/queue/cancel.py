"""Use case: cancel an e-mail that still waits for its time."""

from core import messaging
from core.email.queries import message_row
from core.email.record import email_record
from core.foundation.security.caller import Caller, Scope


async def cancel_message(caller: Caller, id: str) -> dict[str, object]:
    """Cancel an e-mail that is not in the outbox yet: it fails as `canceled`, and what was held for
    it is given back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.EMAIL_SEND)
    await message_row(caller, id)
    row = await messaging.cancel_queued(caller, id)
    return email_record(row, unmasked=caller.sees_personal_data)
