"""Use cases: read one flow, and pages of them."""

from core.flows.conditions import narrow_flows
from core.flows.inputs import FlowFilter
from core.flows.models import Flow
from core.flows.record import FLOW, FlowPage, FlowRecord, flow_record
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope


async def get_flow(caller: Caller, id: str) -> FlowRecord:
    """One flow of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.FLOWS_READ)
    return flow_record(await the_flow(caller, id))


async def list_flows(caller: Caller, filter: FlowFilter) -> WrittenPage[FlowPage]:
    """A page of flows, newest first. Raises ValidationFailed for a strange cursor."""
    caller.require(Scope.FLOWS_READ)
    where = Where.visible_to(caller)
    narrow_flows(
        where,
        status=filter.status,
        meta_status=filter.meta_status,
        category=filter.category,
        number_id=filter.number_id,
    )
    return await newest_records(caller, FLOW, "flows", where, filter)


async def the_flow(caller: Caller, id: str) -> Flow:
    """The caller's flow. Raises NotFound."""
    return await Flow.own(caller, "flw", id)
