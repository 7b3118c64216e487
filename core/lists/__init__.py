"""Static lists: the contacts that somebody put there."""

from core.lists.edit import change_list, create_list, delete_list
from core.lists.errors import ListNameTaken, NobodyMatched
from core.lists.inputs import ListChanges, ListFilter, Members, NewList
from core.lists.leave import leave_lists
from core.lists.locks import hold_members_apart_from_erasures
from core.lists.members import add_members, put_members, remove_members, replace_members
from core.lists.models import ContactList, ContactListMember
from core.lists.queries import get_list, list_lists
from core.lists.record import LIST, ListPage, ListRecord, MembersMoved

__all__ = [
    "LIST",
    "ContactList",
    "ContactListMember",
    "ListChanges",
    "ListFilter",
    "ListNameTaken",
    "ListPage",
    "ListRecord",
    "Members",
    "MembersMoved",
    "NewList",
    "NobodyMatched",
    "add_members",
    "change_list",
    "create_list",
    "delete_list",
    "get_list",
    "hold_members_apart_from_erasures",
    "leave_lists",
    "list_lists",
    "put_members",
    "remove_members",
    "replace_members",
]
