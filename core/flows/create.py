"""Use case: create a flow."""

from core import audit
from core.flows.errors import UnknownFlowNumber
from core.flows.inputs import NewFlow
from core.flows.models import Flow, FlowStatus
from core.flows.record import FlowRecord, flow_record
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope


async def create_flow(caller: Caller, new: NewFlow) -> FlowRecord:
    """Store a draft, however unfinished; answers the record. Raises UnknownFlowNumber."""
    caller.require(Scope.FLOWS_WRITE)
    at = now()
    if not await db.fetchval(NUMBER, caller.organization_id, caller.env, new.number_id):
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


NUMBER = "SELECT true FROM numbers WHERE organization_id = $1 AND env = $2 AND id = $3"
