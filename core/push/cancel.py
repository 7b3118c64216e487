"""Canceling a dispatch before anything was sent."""

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.push.end_unstarted import end_unstarted
from core.push.errors import NoLongerCancelable
from core.push.models import DispatchStatus
from core.push.record import DispatchRecord, dispatch_record


async def cancel_push(caller: Caller, id: str) -> DispatchRecord:
    """Cancel a scheduled or deferred dispatch and give back what was set aside; a canceled one
    stays as it is.

    Raises NotFound and NoLongerCancelable.
    """
    caller.require(Scope.PUSH_SEND)
    at = now()
    async with transaction():
        row = existing(
            await db.fetchrow(LOCK, caller.organization_id, caller.env, well_formed_id("psh", id))
        )
        if row["status"] == "canceled":
            return dispatch_record(row)
        if row["status"] not in ("scheduled", "deferred"):
            raise NoLongerCancelable
        await end_unstarted(caller, [row], DispatchStatus.CANCELED, at=at)
        await audit.write_entry(
            caller, "push_dispatch.canceled", id, {"reach": row["reach"]}, at=at
        )
        canceled = await db.fetch_one(READ, caller.organization_id, caller.env, id)
    return dispatch_record(canceled)


READ = "SELECT * FROM push_dispatches WHERE organization_id = $1 AND env = $2 AND id = $3"

LOCK = f"{READ} FOR UPDATE"
