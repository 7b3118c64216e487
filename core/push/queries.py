"""Reading dispatches and devices."""

from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope
from core.push.conditions import narrow_devices, narrow_dispatches
from core.push.device_record import DEVICE, DevicePage
from core.push.inputs import DeviceFilter, PushFilter
from core.push.models import PushDispatch
from core.push.record import DISPATCH, DispatchPage, DispatchRecord, dispatch_record


async def get_push(caller: Caller, id: str) -> DispatchRecord:
    """One dispatch of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.PUSH_READ)
    found = await PushDispatch.own(caller, "psh", id)
    return dispatch_record(vars(found))


async def list_pushes(caller: Caller, filter: PushFilter) -> WrittenPage[DispatchPage]:
    """A page of dispatches, newest first. Raises ValidationFailed for a strange cursor."""
    caller.require(Scope.PUSH_READ)
    where = Where.visible_to(caller)
    narrow_dispatches(
        where, status=filter.status, origin=filter.origin, since=filter.from_, until=filter.to
    )
    return await newest_uncounted(caller, DISPATCH, "push_dispatches", where, filter)


async def list_devices(caller: Caller, filter: DeviceFilter) -> WrittenPage[DevicePage]:
    """A page of devices, newest first. Raises ValidationFailed for a strange cursor."""
    caller.require(Scope.PUSH_READ)
    where = Where.visible_to(caller)
    narrow_devices(
        where,
        contact_id=filter.contact_id,
        app_id=filter.app_id,
        platform=filter.platform,
        active=filter.active,
    )
    return await newest_uncounted(caller, DEVICE, "push_devices", where, filter)
