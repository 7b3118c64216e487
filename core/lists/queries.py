"""Reading lists."""

from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.lists.conditions import narrow_lists
from core.lists.inputs import ListFilter
from core.lists.models import ContactList
from core.lists.record import LIST, ListPage, ListRecord


async def get_list(caller: Caller, id: str) -> ListRecord:
    """One list of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.CONTACTS_READ)
    found = await ContactList.own(caller, "lst", id)
    return LIST.make_for(caller, vars(found))


async def list_lists(caller: Caller, filter: ListFilter) -> WrittenPage[ListPage]:
    """A page of lists, newest first."""
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_lists(where, q=filter.q)
    return await newest_records(caller, LIST, "contact_lists", where, filter)
