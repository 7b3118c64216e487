"""Reading customer events."""

from typing import Any

from core.customer_events.conditions import narrow_events
from core.customer_events.inputs import CustomerEventFilter
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.pages import cut, page_of, place_behind
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope


async def list_events(caller: Caller, filter: CustomerEventFilter) -> dict[str, Any]:
    """A page of events that happened in the period, both ends included, newest first: `{items,
    nextCursor?}`.
    """
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_events(
        where, since=filter.from_, until=filter.to, name=filter.name, contact_id=filter.contact_id
    )
    if filter.cursor is not None:
        where.narrow("(occurred_at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM customer_events WHERE {where} ORDER BY occurred_at DESC, id DESC LIMIT {limit + 1}",
        *where.values,
    )
    return page_of(rows, limit, event_record, by="occurred_at")


def event_record(row: db.Row, *, duplicate: bool = False) -> dict[str, Any]:
    """The record as the interface spells it; `attribution` is there also when it is null."""
    record = {
        "id": row["id"],
        "name": row["name"],
        "eventId": row["event_id"],
        "contactId": row["contact_id"],
        "contactExternalId": row["contact_external_id"],
        "occurredAt": wire_time(row["occurred_at"]),
        "value": None if row["value"] is None else float(row["value"]),
        "currency": row["currency"],
        "properties": row["properties"],
    }
    return {
        **{name: value for name, value in record.items() if value is not None},
        "attribution": row["attribution"],
        "duplicate": duplicate,
    }
