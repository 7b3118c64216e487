"""What can be done with lists."""

import strawberry

from core import lists
from core.foundation.security.caller import Scope
from core.read_models.lists import LIST
from graphql_api.lists.schema import ContactList
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field

WRITE = Scope.CONTACTS_WRITE


@strawberry.type(description="Up to 100 identifiers of each kind that belong to no contact.")
class UnknownMembers:
    external_ids: list[str]
    contact_ids: list[str]
    phones: list[str]


@strawberry.type(
    description="What became of the members: `matched` contacts were named, `total` are on the "
    "list now."
)
class MembersMoved:
    list_id: strawberry.ID
    matched: int
    added: int
    removed: int
    total: int
    not_found_count: int
    not_found: UnknownMembers
    list: ContactList | None = payload_field(LIST, lambda moved: moved["listId"])


@mutation_type
class ListMutations:
    create_list: ContactList | None = mutation_field(
        lists.create_list, lists.NewList, scope=WRITE, answers=LIST
    )
    update_list: ContactList | None = mutation_field(
        lists.change_list, lists.ListChanges, scope=WRITE, answers=LIST, ids=("id",)
    )
    delete_list: Deleted | None = mutation_field(
        lists.delete_list, heavy=True, scope=WRITE, answers=Deleted, ids=("id",)
    )
    add_list_members: MembersMoved | None = mutation_field(
        lists.add_members, lists.Members, heavy=True, scope=WRITE, ids=("id",)
    )
    replace_list_members: MembersMoved | None = mutation_field(
        lists.replace_members,
        lists.Members,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        description="Afterwards exactly these are on the list.",
    )
    remove_list_members: MembersMoved | None = mutation_field(
        lists.remove_members, lists.Members, heavy=True, scope=WRITE, ids=("id",)
    )
