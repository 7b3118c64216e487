"""Locking the flow that a use case changes, and checking its status."""

from collections.abc import Collection
from datetime import datetime

from core.flows.errors import FlowStatusConflict, PublicationInProgress
from core.flows.models import Flow, FlowStatus
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller


async def lock_flow(
    caller: Caller, id: str, *, allowed: Collection[FlowStatus], otherwise: str
) -> Flow:
    """The caller's flow, locked until the transaction ends. Raises NotFound, and FlowStatusConflict with
    this sentence.
    """
    found = (
        await Flow.visible_to(caller).select_for_update().get_or_none(id=id)
        if is_id("flw", id)
        else None
    )
    if found is None:
        raise NotFound
    if found.status not in allowed:
        raise FlowStatusConflict(otherwise, found.status)
    return found


def refuse_being_published(flow: Flow, *, at: datetime) -> None:
    """Raises PublicationInProgress."""
    if flow.is_being_published(at):
        raise PublicationInProgress
