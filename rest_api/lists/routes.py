"""The operations of static lists."""

from core import lists
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.lists import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import LIST

MEMBERS_BODY_LIMIT = 15_000_000
"""Bytes: 50,000 of the longest identifiers."""

MEMBERS_EXAMPLE = {
    "three kinds together": {
        "externalIds": ["customer-1042"],
        "contactIds": ["cnt_5xGm1sTZ0aBqk3yVh7RwE"],
        "phones": ["+5511987654321"],
    }
}


async def list_lists(call: Call[None, lists.ListFilter]) -> WrittenPage[lists.ListPage]:
    return await lists.list_lists(call.caller, call.query)


async def create_list(call: Call[lists.NewList]) -> lists.ListRecord:
    return await lists.create_list(call.caller, call.body)


async def get_list(call: Call) -> lists.ListRecord:
    return await lists.get_list(call.caller, call.path["id"])


async def change_list(call: Call[lists.ListChanges]) -> lists.ListRecord:
    return await lists.change_list(call.caller, call.path["id"], call.body)


async def delete_list(call: Call) -> None:
    await lists.delete_list(call.caller, call.path["id"])


async def add_members(call: Call[lists.Members]) -> lists.MembersMoved:
    return await lists.add_members(call.caller, call.path["id"], call.body)


async def replace_members(call: Call[lists.Members]) -> lists.MembersMoved:
    return await lists.replace_members(call.caller, call.path["id"], call.body)


async def remove_members(call: Call[lists.Members]) -> lists.MembersMoved:
    return await lists.remove_members(call.caller, call.path["id"], call.body)


operations = [
    Operation(
        "GET",
        "/v2/lists",
        list_lists,
        Scope.CONTACTS_READ,
        "List the static lists, newest first",
        "Lists",
        description="Contacts of a list: `GET /contacts?listId=`.",
        errors=(401, 403, 422),
        query=lists.ListFilter,
        answer=lists.ListPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/lists",
        create_list,
        Scope.CONTACTS_WRITE,
        "Create an empty list",
        "Lists",
        errors=(400, 401, 403, 404, 409, 422),
        status=201,
        body=lists.NewList,
        answer=lists.ListRecord,
        answers={"empty": examples.EMPTY},
        examples={"list": {"name": "Clientes de novembro", "description": "Compraram na campanha"}},
    ),
    Operation(
        "GET",
        "/v2/lists/{id}",
        get_list,
        Scope.CONTACTS_READ,
        "Read a list",
        "Lists",
        errors=(401, 403, 404),
        answer=lists.ListRecord,
        answers={"list": examples.FILLED},
        ids={"id": LIST},
    ),
    Operation(
        "PATCH",
        "/v2/lists/{id}",
        change_list,
        Scope.CONTACTS_WRITE,
        "Rename or describe a list",
        "Lists",
        errors=(400, 401, 403, 404, 409, 422),
        body=lists.ListChanges,
        answer=lists.ListRecord,
        answers={"renamed": examples.RENAMED},
        ids={"id": LIST},
        examples={"rename": {"name": "Clientes de dezembro"}},
    ),
    Operation(
        "DELETE",
        "/v2/lists/{id}",
        delete_list,
        Scope.CONTACTS_WRITE,
        "Delete a list; its contacts stay",
        "Lists",
        heavy=True,
        errors=(401, 403, 404),
        status=204,
        ids={"id": LIST},
    ),
    Operation(
        "POST",
        "/v2/lists/{id}/members",
        add_members,
        Scope.CONTACTS_WRITE,
        "Put contacts on a list",
        "Lists",
        description="At most 50,000 identifiers. Contacts that do not exist are not created; "
        "they come back in "
        "`notFound`.",
        heavy=True,
        errors=(400, 401, 403, 404, 422),
        body=lists.Members,
        body_limit=MEMBERS_BODY_LIMIT,
        answer=lists.MembersMoved,
        answers={"added": examples.ADDED},
        ids={"id": LIST},
        examples=MEMBERS_EXAMPLE,
    ),
    Operation(
        "PUT",
        "/v2/lists/{id}/members",
        replace_members,
        Scope.CONTACTS_WRITE,
        "Make a list exactly these contacts",
        "Lists",
        description="Refused when none of the identifiers belongs to a contact; to empty a list, "
        "remove its members.",
        heavy=True,
        errors=(400, 401, 403, 404, 422),
        body=lists.Members,
        body_limit=MEMBERS_BODY_LIMIT,
        answer=lists.MembersMoved,
        answers={"replaced": examples.REPLACED},
        ids={"id": LIST},
        examples=MEMBERS_EXAMPLE,
    ),
    Operation(
        "POST",
        "/v2/lists/{id}/members/remove",
        remove_members,
        Scope.CONTACTS_WRITE,
        "Take contacts off a list",
        "Lists",
        description="The contacts stay contacts.",
        heavy=True,
        errors=(400, 401, 403, 404, 422),
        body=lists.Members,
        body_limit=MEMBERS_BODY_LIMIT,
        answer=lists.MembersMoved,
        answers={"removed": examples.REMOVED},
        ids={"id": LIST},
        examples=MEMBERS_EXAMPLE,
    ),
]
