"""The audit trail, read field by field."""

from collections.abc import Sequence

from core.audit.listing import narrow_entries
from core.audit.record import AUDIT_ENTRY as RECORD
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Order, OrderKey, fields_of

NEWEST = Order(
    "newest", (OrderKey("{t}.at", "timestamptz"), OrderKey("{t}.id", "text")), descending=True
)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_entries(
        where,
        action=filter.get("action"),
        subject_id=filter.get("subjectId"),
        actor_id=filter.get("actorId"),
    )
    where.narrow_period("at", filter.get("since"), filter.get("until"))
    return ()


AUDIT_ENTRY = Entity(
    name="AuditEntry",
    table="audit_entries",
    alias="a",
    scope=Scope.AUDIT_READ,
    prefix="aud",
    fields=fields_of(RECORD),
    orders={"": NEWEST},
    narrow=_narrow,
)
