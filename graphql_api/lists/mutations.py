"""What can be done with lists."""

import strawberry

from core import lists
from core.dashboards.lists import LIST
from core.foundation.security.caller import Scope
from graphql_api.lists.types import ContactList
from graphql_api.mutations import Deleted, deeds, does, shows

WRITE = Scope.CONTACTS_WRITE


@strawberry.type(description="Up to 100 identifiers of each kind that belong to no contact.")
class UnknownMembers:
    external_ids: list[str]
    contact_ids: list[str]
    phones: list[str]


@strawberry.type(
    description="What became of the members: `matched` contacts were named, `total` are on the list now."
)
class MembersMoved:
    list_id: strawberry.ID
    matched: int
    added: int
    removed: int
    total: int
    not_found_count: int
    not_found: UnknownMembers
    list: ContactList | None = shows(LIST, lambda moved: moved["listId"])


@deeds
class ListMutations:
    create_list: ContactList | None = does(
        lists.create_list, lists.NewList, scope=WRITE, answers=LIST
    )
    update_list: ContactList | None = does(
        lists.change_list, lists.ListChanges, scope=WRITE, answers=LIST, ids=("id",)
    )
    delete_list: Deleted | None = does(
        lists.delete_list, heavy=True, scope=WRITE, answers=Deleted, ids=("id",)
    )
    add_list_members: MembersMoved | None = does(
        lists.add_members, lists.Members, heavy=True, scope=WRITE, ids=("id",)
    )
    replace_list_members: MembersMoved | None = does(
        lists.replace_members,
        lists.Members,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        description="Afterwards exactly these are on the list.",
    )
    remove_list_members: MembersMoved | None = does(
        lists.remove_members, lists.Members, heavy=True, scope=WRITE, ids=("id",)
    )
