"""Use case: create a flow."""

from core import audit
from core.flows.errors import UnknownFlowNumber
from core.flows.inputs import NewFlow
from core.flows.models import Flow, FlowStatus
from core.flows.record import FlowRecord, flow_record
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.numbers import Number


async def create_flow(caller: Caller, new: NewFlow) -> FlowRecord:
    """Store a draft, however unfinished; answers the record. Raises UnknownFlowNumber."""
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    if not await Number.visible_to(caller).filter(id=new.number_id).exists():
        raise UnknownFlowNumber
    async with transaction():
        draft = await Flow.create(
            id=new_id("flw"),
            **owned_by(caller),
            number_id=new.number_id,
            name=new.name,
            description=new.description,
            status=FlowStatus.DRAFT,
            version=1,
            meta_categories=list(dict.fromkeys(new.meta_categories)),
            flow_json=new.flow_json.stored(),
            created_at=at,
            updated_at=at,
        )
        await audit.write_entry(
            caller, "flow.created", draft.id, {"screens": len(new.flow_json.screens)}, at=at
        )
    return flow_record(draft)
