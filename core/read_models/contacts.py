"""Contacts, read field by field."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from core import contacts
from core.contacts.conditions import narrow_contacts
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Order,
    OrderKey,
    SelectedRelation,
    fields_of,
)
from core.segments import condition_of


def _orders() -> dict[str, Order]:
    """By name, either way: newest first unless told otherwise."""
    orders = {}
    for name, key in (
        ("createdAt", OrderKey("{t}.created_at", "timestamptz")),
        ("updatedAt", OrderKey("{t}.updated_at", "timestamptz")),
        ("lastInteractionAt", OrderKey("{t}.last_interaction_at", "timestamptz", nullable=True)),
    ):
        for descending in (False, True):
            named = f"-{name}" if descending else name
            orders[named] = Order(named, (key, OrderKey("{t}.id", "text")), descending)
    return {"": orders["-createdAt"], **orders}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    warnings = narrow_contacts(
        where,
        caller,
        tag=filter.get("tag"),
        opt_in_status=filter.get("optInStatus"),
        source=filter.get("source"),
        external_id=filter.get("externalId"),
        list_id=filter.get("listId"),
        updated_since=filter.get("updatedSince"),
        q=filter.get("q"),
    )
    tags = filter.get("tags") or {}
    for name, condition in TAGS:
        if tags.get(name) is not None:
            where.narrow(condition, tags[name])
    if (company_id := filter.get("companyId")) is not None:
        where.narrow("company_id = {}", company_id)
    for name, stored in (("createdAt", "created_at"), ("lastInteraction", "last_interaction_at")):
        narrow_period(where, stored, filter.get(name))
    if (matching := filter.get("matching")) is not None:
        where.narrow_by(matching)
    return warnings


async def _prepare(caller: Caller, filter: Arguments) -> Arguments:
    """Attributes and segments are what segments are made of; those that they stand on are read
    first.
    """
    leaves = [
        {
            "field": "attribute",
            "key": one["key"],
            "operator": one["operator"],
            "value": one.get("value"),
        }
        for one in filter.get("attributes") or ()
    ]
    if (id := filter.get("segmentId")) is not None:
        leaves.append({"field": "segment", "operator": "is", "value": id})
    if not leaves:
        return filter
    return {**filter, "matching": await condition_of(caller, leaves)}


TAGS = (
    ("all", "tags @> {}::text[]"),
    ("any", "tags && {}::text[]"),
    ("none", "NOT tags && {}::text[]"),
)


def narrow_period(where: Where, column: str, period: dict[str, datetime | None] | None) -> None:
    """Add the bounds of `{from?, to?}`, both of which belong to the period."""
    if period:
        where.narrow_period(column, period.get("from"), period.get("to"))


async def load_opt_outs(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> Mapping[str, object]:
    """The opt-outs of contacts, every field of each. Raises Forbidden."""
    return {
        id: [{"motivo": None, "origem": None, **one} for one in opt_outs]
        for id, opt_outs in (await contacts.opt_outs_of(caller, ids)).items()
    }


CONTACT = Entity(
    name="Contact",
    table="contacts",
    alias="c",
    scope=Scope.CONTACTS_READ,
    prefix="cnt",
    fields=fields_of(contacts.SINGLE_CONTACT),
    orders=_orders(),
    narrow=_narrow,
    prepare=_prepare,
)
