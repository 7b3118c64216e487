"""Making, renaming and deleting lists."""

from functools import partial

from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import conflict_as
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.lists.errors import ListNameTaken
from core.lists.inputs import ListChanges, NewList
from core.lists.locks import hold_members_apart_from_erasures, lock_list
from core.lists.models import ContactList, ContactListMember
from core.lists.record import LIST, ListRecord

_one_name_each = partial(conflict_as, {"contact_lists_name_key": ListNameTaken})


async def create_list(caller: Caller, new: NewList) -> ListRecord:
    """Create an empty list. Raises ListNameTaken."""
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    with _one_name_each():
        async with transaction():
            created = await ContactList.create(
                id=new_id("lst"),
                **owned_by(caller),
                name=new.name,
                description=new.description,
                size=0,
                created_by_id=caller.account_id,
                created_at=at,
                updated_at=at,
            )
    return LIST.make_for(caller, vars(created))


async def change_list(caller: Caller, id: str, changes: ListChanges) -> ListRecord:
    """Rename or describe a list. Raises NotFound and ListNameTaken."""
    caller.require(Scope.CONTACTS_WRITE)
    with _one_name_each():
        async with transaction():
            stored = await lock_list(caller, id)
            before = (stored.name, stored.description)
            if changes.name is not None:
                stored.name = changes.name
            if "description" in changes.model_fields_set:
                stored.description = changes.description
            if (stored.name, stored.description) != before:
                stored.updated_at = now()
                await stored.save(update_fields=["name", "description", "updated_at"])
    return LIST.make_for(caller, vars(stored))


async def delete_list(caller: Caller, id: str) -> None:
    """Delete a list; its contacts stay. Raises NotFound."""
    caller.require(Scope.CONTACTS_WRITE)
    async with transaction():
        # An erasure takes its contact off the lists before it touches them: the other way round
        # than here.
        await hold_members_apart_from_erasures(caller)
        await lock_list(caller, id)
        await ContactListMember.visible_to(caller).filter(list_id=id).delete()
        await ContactList.visible_to(caller).filter(id=id).delete()
