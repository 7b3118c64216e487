"""Use cases: read one flow, and pages of them."""

from typing import Any

from core.flows.conditions import narrow_flows
from core.flows.inputs import FlowFilter
from core.flows.record import flow_record
from core.foundation.database import db
from core.foundation.database.newest_page import newest_page
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope


async def get_flow(caller: Caller, id: str) -> dict[str, Any]:
    """One flow of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.FLOWS_READ)
    return flow_record(await flow_row(caller, id))


async def list_flows(caller: Caller, filter: FlowFilter) -> dict[str, Any]:
    """A page of flows, newest first: `{items, total, nextCursor?}`. Raises ValidationFailed for a
    strange cursor.
    """
    caller.require(Scope.FLOWS_READ)
    where = Where.visible_to(caller)
    narrow_flows(
        where,
        status=filter.status,
        meta_status=filter.meta_status,
        category=filter.category,
        number_id=filter.number_id,
    )
    return await newest_page("flows", where, filter, flow_record)


async def flow_row(caller: Caller, id: str) -> db.Row:
    """The stored row of the caller's flow. Raises NotFound."""
    row = (
        await db.fetchrow(ONE, caller.organization_id, caller.env, id) if is_id("flw", id) else None
    )
    if row is None:
        raise NotFound
    return row


ONE = "SELECT * FROM flows WHERE organization_id = $1 AND env = $2 AND id = $3"
