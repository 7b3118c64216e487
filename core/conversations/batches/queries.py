"""Use case: read a batch, its messages counted by status."""

from typing import Any

from core.conversations.batches.record import batch_record
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def get_batch(caller: Caller, id: str) -> dict[str, Any]:
    """One batch of the caller's organization and environment, with the statuses of its messages.
    Raises NotFound.
    """
    caller.require(Scope.MESSAGES_READ)
    return await read_batch(await batch_row(caller, id))


async def batch_row(caller: Caller, id: str, *, lock: bool = False) -> db.Row:
    """The stored row of the caller's batch. Raises NotFound."""
    query = ONE + " FOR UPDATE" if lock else ONE
    row = (
        await db.fetchrow(query, caller.organization_id, caller.env, id)
        if is_id("btc", id)
        else None
    )
    if row is None:
        raise NotFound
    return row


async def read_batch(row: HasColumns) -> dict[str, object]:
    """The record of a row, its messages counted."""
    counted = await db.fetch(COUNT, row["organization_id"], row["env"], row["id"])
    return batch_record(row, {one["status"]: one["messages"] for one in counted})


ONE = "SELECT * FROM message_batches WHERE organization_id = $1 AND env = $2 AND id = $3"

COUNT = """
SELECT status, count(*) AS messages FROM messages
WHERE organization_id = $1 AND env = $2 AND batch_id = $3 GROUP BY status
"""
