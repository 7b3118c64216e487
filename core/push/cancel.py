"""Calling a dispatch off before anything was sent."""

from typing import Any

from core import audit, wallet
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.transactions import transaction
from core.push.announce import announce
from core.push.errors import NoLongerCancelable
from core.push.record import dispatch_record


async def cancel_push(caller: Caller, id: str) -> dict[str, Any]:
    """Cancel a scheduled or deferred dispatch and give back what was set aside; a canceled one stays as it is.

    Raises NotFound and NoLongerCancelable.
    """
    caller.require(Scope.PUSH_SEND)
    at = now()
    async with transaction():
        row = await db.fetchrow(LOCK, caller.organization_id, caller.env, id if is_id("psh", id) else None)
        if row is None:
            raise NotFound
        if row["status"] == "canceled":
            return dispatch_record(row)
        if row["status"] not in ("scheduled", "deferred"):
            raise NoLongerCancelable
        await db.execute(DROP, id, at)
        canceled = await db.fetchrow(CANCEL, id, at)
        owner, coins = (caller.organization_id, caller.env), row["reach"] * row["unit_coins"]
        if coins:
            await wallet.lock_balances({owner})
            await wallet.book([wallet.release(owner, id, coins, caller.request_id)], at=at)
        await audit.record(caller, "push_dispatch.canceled", id, {"reach": row["reach"]}, at=at)
        await announce(*owner, id)
    assert canceled is not None
    return dispatch_record(canceled)


LOCK = "SELECT * FROM push_dispatches WHERE organization_id = $1 AND env = $2 AND id = $3 FOR UPDATE"

DROP = "UPDATE push_deliveries SET status = 'dropped', settled_at = $2 WHERE dispatch_id = $1 AND status = 'queued'"

CANCEL = """
UPDATE push_dispatches SET
    status = 'canceled', due_at = NULL, open_count = 0, released_coins = released_coins + reach * unit_coins,
    completed_at = $2, updated_at = $2
WHERE id = $1 RETURNING *
"""
