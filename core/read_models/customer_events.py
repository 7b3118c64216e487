"""Customer events, read field by field."""

from collections.abc import Sequence

from core import customer_events
from core.customer_events.conditions import narrow_events
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Order,
    OrderKey,
    fields_of,
)

FIELDS = {**fields_of(customer_events.CUSTOMER_EVENT), "duplicate": Field("false")}

LATEST = Order(
    "latest",
    (OrderKey("{t}.occurred_at", "timestamptz"), OrderKey("{t}.id", "text")),
    descending=True,
)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    period = filter.get("occurredAt") or {}
    narrow_events(
        where,
        since=period.get("from"),
        until=period.get("to"),
        name=filter.get("name"),
        contact_id=filter.get("contactId"),
    )
    return ()


CUSTOMER_EVENT = Entity(
    name="CustomerEvent",
    table="customer_events",
    alias="e",
    scope=Scope.CONTACTS_READ,
    prefix="cev",
    fields=FIELDS,
    orders={"": LATEST},
    narrow=_narrow,
)
