"""Reading lists."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.newest_page import newest_page
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.lists.conditions import narrow_lists
from core.lists.inputs import ListFilter
from core.lists.models import ContactList


async def get_list(caller: Caller, id: str) -> dict[str, Any]:
    """One list of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CONTACTS_READ)
    found = await ContactList.visible_to(caller).get_or_none(id=id) if is_id("lst", id) else None
    if found is None:
        raise NotFound
    return list_record(vars(found))


async def list_lists(caller: Caller, filter: ListFilter) -> dict[str, Any]:
    """A page of lists, newest first: `{items, total, nextCursor?}`."""
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_lists(where, q=filter.q)
    return await newest_page("contact_lists", where, filter, list_record)


def list_record(row: db.Row) -> dict[str, Any]:
    """The record of a row, or of a model's `vars`."""
    record = {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "size": row["size"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}
