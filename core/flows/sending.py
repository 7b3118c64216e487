"""Resolving the flow that a send opens: recipients must be able to open it now."""

from core.flows.errors import FlowUnavailable, UnknownFlow
from core.flows.models import Flow, FlowStatus, MetaStatus
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller


async def flow_for_sending(
    caller: Caller, id: str, number_id: str, *, pointer: str = "/payload/flowId"
) -> Flow:
    """A flow of this number of the caller's that may be sent now; the platform knows it by
    `meta_flow_id`.

    Raises UnknownFlow (422, at `pointer`) and FlowUnavailable (409): not active, or blocked or
    throttled there.
    """
    found = (
        await Flow.visible_to(caller).get_or_none(id=id, number_id=number_id)
        if is_id("flw", id)
        else None
    )
    if found is None:
        raise UnknownFlow(pointer)
    if found.status is not FlowStatus.ACTIVE or found.meta_status is not MetaStatus.PUBLISHED:
        raise FlowUnavailable(found.status, found.meta_status.value if found.meta_status else None)
    return found
