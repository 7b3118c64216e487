"""Lists of contacts, read field by field, and who is on each of them."""

from collections.abc import Mapping, Sequence

from core import lists
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.lists.conditions import narrow_lists
from core.read_models.contacts import CONTACT
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    SelectedRelation,
    fields_of,
    read_pages,
)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_lists(where, q=filter.get("q"))
    return ()


async def contacts_of_lists(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> Mapping[str, object]:
    """A page of the contacts on each list, by its id.

    Not a condition on the row of the list: only where the id is a value of the statement,
    PostgreSQL knows whether few are on the list, whom it then looks up, or many, of whom it meets
    the newest soon.
    """
    pages = {id: {**selected.arguments, "filter": {"listId": id}} for id in ids}
    return await read_pages(caller, CONTACT, pages, selected.selection, selected.parts)


LIST = Entity(
    name="ContactList",
    table="contact_lists",
    alias="l",
    scope=Scope.CONTACTS_READ,
    prefix="lst",
    fields=fields_of(lists.LIST),
    narrow=_narrow,
)
