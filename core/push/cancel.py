"""Canceling a dispatch before anything was sent."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.push.end_unstarted import end_unstarted
from core.push.errors import NoLongerCancelable
from core.push.models import DispatchStatus, PushDispatch
from core.push.record import DispatchRecord, dispatch_record


async def cancel_push(caller: Caller, id: str) -> DispatchRecord:
    """Cancel a scheduled or deferred dispatch and give back what was set aside; a canceled one
    stays as it is.

    Raises NotFound and NoLongerCancelable.
    """
    caller.require(Scope.PUSH_SEND)
    at = now()
    async with transaction():
        held = await PushDispatch.own(caller, "psh", id, lock=True)
        if held.status is DispatchStatus.CANCELED:
            return dispatch_record(vars(held))
        if not held.may_be_canceled:
            raise NoLongerCancelable
        await end_unstarted(caller, [vars(held)], DispatchStatus.CANCELED, at=at)
        await audit.write_entry(caller, "push_dispatch.canceled", id, {"reach": held.reach}, at=at)
        canceled = await PushDispatch.own(caller, "psh", id)
    return dispatch_record(vars(canceled))
