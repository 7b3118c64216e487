"""Lists of contacts, read field by field."""

from collections.abc import Sequence

from core.dashboards.reading import Arguments, Entity, column, time
from core.foundation.caller import Caller, Scope
from core.foundation.where import Where
from core.lists.conditions import narrow_lists

FIELDS = {
    "id": column("id"),
    "name": column("name"),
    "description": column("description"),
    "size": column("size"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_lists(where, q=filter.get("q"))
    return ()


LIST = Entity(
    name="ContactList",
    table="contact_lists",
    alias="l",
    scope=Scope.CONTACTS_READ,
    prefix="lst",
    fields=FIELDS,
    narrow=_narrow,
)
