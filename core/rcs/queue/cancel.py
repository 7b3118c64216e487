"""Use case: cancel an RCS message that still waits."""

from typing import Any

from core import messaging
from core.foundation.security.caller import Caller, Scope
from core.rcs.queries import message_row
from core.rcs.record import rcs_record


async def cancel_message(caller: Caller, id: str) -> dict[str, Any]:
    """Cancel a message that still waits: it fails as `canceled`, and what was held for it is given
    back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.RCS_SEND)
    await message_row(caller, id)
    row = await messaging.cancel_queued(caller, id)
    return rcs_record(row, unmasked=caller.sees_personal_data)
