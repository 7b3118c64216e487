"""Reading customer events."""

from typing import Any

from core.customer_events.inputs import CustomerEventFilter
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import wire_time
from core.foundation.pages import cursor_after, cut, place_behind


async def list_events(caller: Caller, filter: CustomerEventFilter) -> dict[str, Any]:
    """A page of events that happened in the period, both ends included, newest first: `{items, nextCursor?}`."""
    caller.require(Scope.CONTACTS_READ)
    where = ["organization_id = $1", "env = $2", "occurred_at >= $3", "occurred_at <= $4"]
    values: list[Any] = [caller.organization_id, caller.env, filter.from_, filter.to]
    for column, value in (("name", filter.name), ("contact_id", filter.contact_id)):
        if value is not None:
            values.append(value)
            where.append(f"{column} = ${len(values)}")
    if filter.cursor is not None:
        values += place_behind(filter.cursor)
        where.append(f"(occurred_at, id) < (${len(values) - 1}, ${len(values)})")
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM customer_events WHERE {' AND '.join(where)} "
        f"ORDER BY occurred_at DESC, id DESC LIMIT {limit + 1}",
        *values,
    )
    page: dict[str, Any] = {"items": [event_record(row) for row in rows[:limit]]}
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1]["occurred_at"], rows[limit - 1]["id"])
    return page


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
