"""Use case: read a batch, its messages counted by status."""

from core.conversations.batches.record import BY_STATUS, MESSAGE_BATCH, BatchRecord
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def get_batch(caller: Caller, id: str) -> BatchRecord:
    """One batch of the caller's organization and environment, with the statuses of its messages.
    Raises NotFound.
    """
    caller.require(Scope.MESSAGES_READ)
    return await read_batch(caller, id)


async def lock_batch(caller: Caller, id: str) -> HasColumns:
    """The stored row of the caller's batch, held until the transaction ends. Raises NotFound."""
    return await _found(caller, id, "SELECT b.*", "FOR UPDATE")


async def read_batch(caller: Caller, id: str) -> BatchRecord:
    """The record of the caller's batch, whatever the caller may read. Raises NotFound."""
    return MESSAGE_BATCH.make_for(caller, await _found(caller, id, COUNTED))


async def _found(caller: Caller, id: str, select: str, lock: str = "") -> HasColumns:
    return existing(
        await db.fetchrow(
            f"{select} {OF_ID} {lock}",
            caller.organization_id,
            caller.env,
            well_formed_id("btc", id),
        )
    )


OF_ID = "FROM message_batches b WHERE b.organization_id = $1 AND b.env = $2 AND b.id = $3"

COUNTED = f"SELECT b.*, {BY_STATUS.format('b')} AS by_status"
