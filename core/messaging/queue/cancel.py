"""Canceling a queued message: what is the same on every channel."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.messaging.errors import MessageNotCancelable
from core.messaging.queue.reasons import CANCELED
from core.messaging.queue.withdraw import withdraw
from core.messaging.stored_message import StoredMessage


async def cancel_queued(caller: Caller, id: str, *, error: str | None = None) -> StoredMessage:
    """End a message of the caller's that still waits: it fails as `canceled`, and what was held for
    it is given back. Answers its row. `error`: its `lastError`, where the channel shows one.

    Raises MessageNotCancelable. The channel has found the message, and asked for the scope.
    """
    at = now()
    async with transaction():
        rows = await withdraw([id], reason=CANCELED, error=error, at=at)
        if not rows:
            raise MessageNotCancelable
        await audit.write_entry(caller, "message.canceled", id, at=at)
    return rows[0]
