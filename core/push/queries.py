"""Reading dispatches and devices."""

from collections.abc import Callable
from typing import Any

from core.foundation.database import db
from core.foundation.database.pages import cut, page_of, place_behind
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.push.conditions import narrow_devices, narrow_dispatches
from core.push.device_record import device_record
from core.push.inputs import DeviceFilter, PushFilter
from core.push.models import PushDispatch
from core.push.record import dispatch_record


async def get_push(caller: Caller, id: str) -> dict[str, Any]:
    """One dispatch of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.PUSH_READ)
    found = await PushDispatch.visible_to(caller).get_or_none(id=id) if is_id("psh", id) else None
    if found is None:
        raise NotFound
    return dispatch_record(vars(found))


async def list_pushes(caller: Caller, filter: PushFilter) -> dict[str, Any]:
    """A page of dispatches, newest first: `{items, nextCursor?}`. Raises ValidationFailed for a
    strange cursor.
    """
    caller.require(Scope.PUSH_READ)
    where = Where.visible_to(caller)
    narrow_dispatches(
        where, status=filter.status, origin=filter.origin, since=filter.from_, until=filter.to
    )
    return await _page("push_dispatches", where, filter, dispatch_record)


async def list_devices(caller: Caller, filter: DeviceFilter) -> dict[str, Any]:
    """A page of devices, newest first: `{items, nextCursor?}`. Raises ValidationFailed for a
    strange cursor.
    """
    caller.require(Scope.PUSH_READ)
    where = Where.visible_to(caller)
    narrow_devices(
        where,
        contact_id=filter.contact_id,
        app_id=filter.app_id,
        platform=filter.platform,
        active=filter.active,
    )
    return await _page("push_devices", where, filter, device_record)


async def _page(
    table: str,
    where: Where,
    asked: PushFilter | DeviceFilter,
    record: Callable[[db.Row], dict[str, Any]],
) -> dict[str, Any]:
    if asked.cursor is not None:
        where.narrow("(created_at, id) < ({}, {})", *place_behind(asked.cursor))
    limit = cut(asked.limit)
    rows = await db.fetch(
        f"SELECT * FROM {table} WHERE {where} ORDER BY created_at DESC, id DESC LIMIT {limit + 1}",
        *where.values,
    )
    return page_of(rows, limit, record)
