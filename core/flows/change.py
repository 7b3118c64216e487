"""Use case: change a flow; a draft in place, one in use by a new version beside it."""

from datetime import datetime

from core import audit
from core.flows.errors import NewerFlowVersion
from core.flows.inputs import FlowChanges
from core.flows.lock_flow import lock_flow, refuse_being_published
from core.flows.models import Flow, FlowStatus
from core.flows.record import FlowRecord, flow_record
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope

CHANGEABLE = (FlowStatus.DRAFT, FlowStatus.ACTIVE, FlowStatus.PAUSED)


async def change_flow(caller: Caller, id: str, changes: FlowChanges) -> FlowRecord:
    """Change what was sent; answers the record that has it.

    Of an active or paused flow a new draft is made, which names it in `versaoDe`; it stays in use
    until it is deprecated. Raises NotFound, FlowStatusConflict, PublicationInProgress and
    NewerFlowVersion.
    """
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    async with transaction():
        found = await lock_flow(
            caller,
            id,
            allowed=CHANGEABLE,
            otherwise="A deprecated or archived flow cannot be changed.",
        )
        refuse_being_published(found, at=at)
        if not changes.model_fields_set:
            return flow_record(found)
        changed = found if found.status is FlowStatus.DRAFT else await _next_version(found, at=at)
        _apply(changes, changed, at=at)
        await changed.save(force_create=changed.id != id, force_update=changed.id == id)
        facts = {
            "version": changed.version,
            "of": changed.version_of,
            "changed": sorted(changes.model_fields_set),
        }
        await audit.write_entry(caller, "flow.changed", changed.id, facts, at=at)
    return flow_record(changed)


def _apply(changes: FlowChanges, flow: Flow, *, at: datetime) -> None:
    for name in changes.model_fields_set - {"flow_json", "meta_categories"}:
        setattr(flow, name, getattr(changes, name))
    if changes.flow_json is not None:
        flow.flow_json = changes.flow_json.stored()
    if changes.meta_categories is not None:
        flow.meta_categories = list(dict.fromkeys(changes.meta_categories))
    flow.updated_at = at


async def _next_version(flow: Flow, *, at: datetime) -> Flow:
    """A draft that begins as this flow is. Raises NewerFlowVersion while there is one already."""
    others = await db.fetch(OTHERS, flow.organization_id, flow.env, flow.id)
    draft = next((row["id"] for row in others if row["status"] == FlowStatus.DRAFT), None)
    if draft is not None:
        raise NewerFlowVersion(draft)
    next_one = flow.clone(pk=new_id("flw"))
    next_one.status = FlowStatus.DRAFT
    next_one.version = max([flow.version, *(column(others, "version"))]) + 1
    next_one.version_of = flow.id
    next_one.meta_flow_id = next_one.published_at = None
    next_one.meta_status = None  # type: ignore[assignment]  # the field may be null, which its type does not tell
    next_one.created_at = at
    return next_one


OTHERS = (
    "SELECT id, status, version FROM flows WHERE organization_id = $1 AND env = "
    "$2 AND version_of = $3"
)
