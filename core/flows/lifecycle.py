"""Use cases: pause, resume, deprecate, archive and delete a flow."""

from datetime import datetime

from core import audit
from core.flows.errors import NoFlowPlatform
from core.flows.lock_flow import lock_flow, refuse_being_published
from core.flows.models import Flow, FlowStatus, MetaStatus
from core.flows.record import FlowRecord, flow_record
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import DependencyFailed
from core.foundation.security.caller import Caller, Scope
from core.numbers import Number, sender_account_of
from core.providers import registry
from core.providers.platform import UpstreamError

IN_USE = (FlowStatus.ACTIVE, FlowStatus.PAUSED)
ONLY_IN_USE = "Only an active or paused flow can be deprecated."


async def pause_flow(caller: Caller, id: str) -> FlowRecord:
    """Keep an active flow from being sent; the platform is not told. Raises NotFound and
    FlowStatusConflict.
    """
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    async with transaction():
        flow = await lock_flow(
            caller,
            id,
            allowed=(FlowStatus.ACTIVE,),
            otherwise=("Only an active flow can be paused."),
        )
        await _move(flow, FlowStatus.PAUSED, at=at)
        await audit.write_entry(caller, "flow.paused", id, at=at)
    return flow_record(flow)


async def resume_flow(caller: Caller, id: str) -> FlowRecord:
    """A paused flow can be sent again. Raises NotFound and FlowStatusConflict."""
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    async with transaction():
        flow = await lock_flow(
            caller,
            id,
            allowed=(FlowStatus.PAUSED,),
            otherwise=("Only a paused flow can be resumed."),
        )
        await _move(flow, FlowStatus.ACTIVE, at=at)
        await audit.write_entry(caller, "flow.resumed", id, at=at)
    return flow_record(flow)


async def deprecate_flow(caller: Caller, id: str) -> FlowRecord:
    """Take a published flow out of use for good, with the platform first.

    Raises NotFound, FlowStatusConflict, NoFlowPlatform, and DependencyFailed when the platform does
    not do it: then it stays.
    """
    caller.require(Scope.FLOWS_WRITE)
    refuse_dry_run()
    if caller.env == "live":
        async with transaction():
            flow = await lock_flow(caller, id, allowed=IN_USE, otherwise=ONLY_IN_USE)
        await _deprecate_there(flow)
    at = now()
    async with transaction():
        flow = await lock_flow(caller, id, allowed=IN_USE, otherwise=ONLY_IN_USE)
        flow.meta_status = MetaStatus.DEPRECATED
        await _move(flow, FlowStatus.DEPRECATED, at=at)
        await audit.write_entry(caller, "flow.deprecated", id, {"version": flow.version}, at=at)
    return flow_record(flow)


async def archive_flow(caller: Caller, id: str) -> FlowRecord:
    """Put a draft or a deprecated flow away for good. Raises NotFound, FlowStatusConflict and
    PublicationInProgress.
    """
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    async with transaction():
        flow = await lock_flow(
            caller,
            id,
            allowed=(FlowStatus.DRAFT, FlowStatus.DEPRECATED),
            otherwise="Only a draft or a deprecated flow can be archived.",
        )
        refuse_being_published(flow, at=at)
        await _move(flow, FlowStatus.ARCHIVED, at=at)
        await audit.write_entry(caller, "flow.archived", id, {"version": flow.version}, at=at)
    return flow_record(flow)


async def delete_flow(caller: Caller, id: str) -> None:
    """Remove a draft for good. Raises NotFound, FlowStatusConflict and PublicationInProgress."""
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    async with transaction():
        flow = await lock_flow(
            caller,
            id,
            allowed=(FlowStatus.DRAFT,),
            otherwise="Only a draft can be deleted; deprecate it instead.",
        )
        refuse_being_published(flow, at=at)
        await flow.delete()
        await audit.write_entry(caller, "flow.deleted", id, {"version": flow.version}, at=at)


async def _move(flow: Flow, status: FlowStatus, *, at: datetime) -> None:
    flow.status, flow.updated_at = status, at
    await flow.save(update_fields=["status", "meta_status", "updated_at"])


async def _deprecate_there(flow: Flow) -> None:
    platform = existing(registry.for_conversations(), NoFlowPlatform)
    number = await Number.get(id=flow.number_id, organization_id=flow.organization_id, env=flow.env)
    assert flow.meta_flow_id is not None
    try:
        await platform.deprecate_flow(sender_account_of(number), flow.meta_flow_id)
    except UpstreamError as failed:
        if not failed.gone:
            facts = {"upstreamCode": failed.code}
            raise DependencyFailed(
                "The platform did not deprecate the flow; try again later.", meta=facts
            ) from None
