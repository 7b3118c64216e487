"""Locking the flow that a use case changes, and checking its status."""

from collections.abc import Collection
from datetime import datetime, timedelta

from core.flows.errors import FlowStatusConflict, PublicationInProgress
from core.flows.models import Flow, FlowStatus, MetaStatus
from core.foundation.security.caller import Caller

PUBLICATION_TIMEOUT = timedelta(minutes=2)
"""How long a publication that was begun keeps others away, should it never end."""


async def lock_flow(
    caller: Caller, id: str, *, allowed: Collection[FlowStatus], otherwise: str
) -> Flow:
    """The caller's flow, locked until the transaction ends. Raises NotFound, and FlowStatusConflict with
    this sentence.
    """
    found = await Flow.own(caller, "flw", id, lock=True)
    if found.status not in allowed:
        raise FlowStatusConflict(otherwise, found.status)
    return found


def refuse_being_published(flow: Flow, *, at: datetime) -> None:
    """A draft that the platform is being given is marked with its own word for one. Raises
    PublicationInProgress.
    """
    begun = flow.status is FlowStatus.DRAFT and flow.meta_status is MetaStatus.DRAFT
    if begun and flow.updated_at > at - PUBLICATION_TIMEOUT:
        raise PublicationInProgress
