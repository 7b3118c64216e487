"""Use case: cancel what is left of a batch."""

from core import audit
from core.conversations.batches.queries import lock_batch, read_batch
from core.conversations.batches.record import BatchRecord
from core.conversations.models import MessageBatch
from core.conversations.reasons import CANCELED, FailureReason
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.messaging.queue.withdraw import withdraw


async def cancel_batch(caller: Caller, id: str) -> BatchRecord:
    """Cancel the batch's messages that still wait, and give back what was held for them; what is
    leaving leaves.

    A canceled batch may be canceled again: what waits then, if anything does, ends too. Raises
    NotFound.
    """
    caller.require(Scope.MESSAGES_SEND)
    at = now()
    async with transaction():
        row = await lock_batch(caller, id)
        queued = await db.fetch(QUEUED, caller.organization_id, caller.env, id)
        ended = await withdraw(
            column(queued, "id"), reason=FailureReason.CANCELED, error=CANCELED, at=at
        )
        if row["canceled_at"] is None:
            await MessageBatch.visible_to(caller).filter(id=id).update(canceled_at=at)
        if ended:
            await audit.write_entry(
                caller, "message_batch.canceled", id, {"mensagens": len(ended)}, at=at
            )
        return await read_batch(caller, id)


QUEUED = """
SELECT id FROM messages WHERE organization_id = $1 AND env = $2 AND batch_id = $3 AND status = 'queued'
"""
