"""Use case: cancel a queued message."""

from core import audit
from core.conversations.errors import MessageNotCancelable
from core.conversations.queries import message_row
from core.conversations.reasons import CANCELED, FailureReason
from core.conversations.record import message_record, names_of
from core.conversations.sending.send_request import Record
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.messaging.queue.withdraw import withdraw


async def cancel_message(caller: Caller, id: str) -> Record:
    """Cancel a message that still waits: it fails as `cancelada`, and what was held for it is given
    back.

    Raises NotFound and MessageNotCancelable.
    """
    caller.require(Scope.MESSAGES_SEND)
    at = now()
    await message_row(caller, id)
    async with transaction():
        rows = await withdraw([id], reason=FailureReason.CANCELED, error=CANCELED, at=at)
        if not rows:
            raise MessageNotCancelable
        await audit.write_entry(caller, "message.canceled", id, at=at)
    names = await names_of(caller.organization_id, rows)
    return message_record(rows[0], masked=not caller.sees_personal_data, names=names)
