"""Use case: cancel an RCS message that still waits."""

from core import messaging
from core.foundation.security.caller import Caller, Scope
from core.rcs.queries import message_row
from core.rcs.record import RCS_MESSAGE, RcsRecord


async def cancel_message(caller: Caller, id: str) -> RcsRecord:
    """Cancel a message that still waits: it fails as `canceled`, and what was held for it is given
    back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.RCS_SEND)
    await message_row(caller, id)
    return RCS_MESSAGE.make_for(caller, await messaging.cancel_queued(caller, id))
