"""What can be done with lists."""

from core import lists
from core.foundation.security.caller import Scope
from core.read_models.lists import LIST
from graphql_api.lists.schema import ContactList
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.records import record_type

WRITE = Scope.CONTACTS_WRITE


@record_type(lists.MembersMoved)
class MembersMoved:
    list: ContactList | None = payload_field(
        LIST, lambda moved: moved["listId"], description="The list as it is now"
    )


@mutation_type
class ListMutations:
    create_list: ContactList | None = mutation_field(
        lists.create_list,
        lists.NewList,
        scope=WRITE,
        answers=LIST,
        description="Create a list of contacts, which is empty at first.",
    )
    update_list: ContactList | None = mutation_field(
        lists.change_list,
        lists.ListChanges,
        scope=WRITE,
        answers=LIST,
        ids=("id",),
        description="Change what is sent of a list.",
    )
    delete_list: Deleted | None = mutation_field(
        lists.delete_list,
        heavy=True,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Delete a list; the contacts on it stay.",
    )
    add_list_members: MembersMoved | None = mutation_field(
        lists.add_members,
        lists.Members,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        of="list",
        description="Put contacts on a list beside those that are on it.",
    )
    replace_list_members: MembersMoved | None = mutation_field(
        lists.replace_members,
        lists.Members,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        description="Put exactly these contacts on a list, and take the others off.",
        of="list",
    )
    remove_list_members: MembersMoved | None = mutation_field(
        lists.remove_members,
        lists.Members,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        of="list",
        description="Take contacts off a list.",
    )
