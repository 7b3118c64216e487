"""Flows, read field by field."""

from collections.abc import Sequence

from core.flows.conditions import narrow_flows
from core.flows.record import shown_json
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Field, column, time

FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "numberId": column("number_id"),
    "name": column("name"),
    "description": column("description"),
    "status": column("status"),
    "version": column("version"),
    "versaoDe": column("version_of"),
    "metaFlowId": column("meta_flow_id"),
    "metaStatus": column("meta_status"),
    "metaCategories": column("meta_categories"),
    "flowJson": Field("{t}.flow_json", make=shown_json),
    "publishedAt": time("published_at"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_flows(
        where,
        status=filter.get("status"),
        meta_status=filter.get("metaStatus"),
        category=filter.get("category"),
        number_id=filter.get("numberId"),
    )
    return ()


FLOW = Entity(
    name="Flow",
    table="flows",
    alias="fl",
    scope=Scope.FLOWS_READ,
    prefix="flw",
    fields=FIELDS,
    narrow=_narrow,
)
