"""Flows, read field by field."""

from collections.abc import Sequence

from core.flows import record
from core.flows.conditions import narrow_flows
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, fields_of


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
    fields=fields_of(record.FLOW),
    narrow=_narrow,
)
