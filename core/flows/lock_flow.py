"""Locking the flow that a use case changes, and checking its status."""

from collections.abc import Collection
from datetime import datetime

from core.flows.errors import FlowStatusConflict, PublicationInProgress
from core.flows.models import Flow, FlowStatus
from core.foundation.security.caller import Caller


async def lock_flow(
    caller: Caller, id: str, *, allowed: Collection[FlowStatus], otherwise: str
) -> Flow:
    """The caller's flow, locked until the transaction ends. Raises NotFound, and FlowStatusConflict
    with this sentence.
    """
    found = await Flow.own(caller, "flw", id, lock=True)
    if found.status not in allowed:
        raise FlowStatusConflict(otherwise, found.status)
    return found


def refuse_being_published(flow: Flow, *, at: datetime) -> None:
    """Raises PublicationInProgress."""
    if flow.is_being_published(at):
        raise PublicationInProgress
