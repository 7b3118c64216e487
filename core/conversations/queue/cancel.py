"""Use case: cancel a queued message."""

from core.conversations.queries import message_row
from core.conversations.reasons import CANCELED
from core.conversations.record import ConversationRecord, message_record, names_of
from core.foundation.security.caller import Caller, Scope
from core.messaging import cancel_queued


async def cancel_message(caller: Caller, id: str) -> ConversationRecord:
    """Cancel a message that still waits: it fails as `cancelada`, and what was held for it is given
    back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.MESSAGES_SEND)
    await message_row(caller, id)
    row = await cancel_queued(caller, id, error=CANCELED)
    names = await names_of(caller.organization_id, [row])
    return message_record(row, masked=not caller.sees_personal_data, names=names)
