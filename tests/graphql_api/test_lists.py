"""Lists over GraphQL: the values of REST, who is on them, and the lists of a contact."""

import pytest

from core import lists
from core.foundation.security.caller import Caller, Scope
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.support.connections import other_sides, walked
from tests.support.graphql import as_rest, ask, bare, data_of, every_field

pytestmark = pytest.mark.usefixtures("clean_slate")

MEMBERS = """query($id: ID!, $first: Int!, $after: String) { list(id: $id) {
  contacts(first: $first, after: $after) { nodes { id phone } pageInfo { hasNextPage endCursor } totalCount } } }"""


async def a_list(caller: Caller, name: str, *contacts: str, **fields: str) -> str:
    id: str = (await lists.create_list(caller, lists.NewList(name=name, **fields)))["id"]
    if contacts:
        await lists.add_members(caller, id, lists.Members(contact_ids=list(contacts)))
    return id


async def test_every_field_of_a_list_is_the_one_of_rest() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller)
    full = await a_list(caller, "Café", contact["id"], description="Who came by")
    plain = await a_list(caller, "Nobody")

    for id in (full, plain):
        shown = await data_of(caller, f'{{ list(id: "{id}") {{ {every_field("ContactList")} }} }}')
        assert as_rest("ContactList", shown["list"]) == await lists.get_list(caller, id)


async def test_lists_are_walked_from_either_end_newest_first() -> None:
    caller = await a_caller("test")
    made = [await a_list(caller, f"List {place}") for place in range(5)]

    assert await walked(caller, "lists") == made[::-1]
    assert await walked(caller, "lists", backward=True) == made[::-1]


async def test_lists_are_found_by_a_part_of_their_name() -> None:
    caller = await a_caller("test")
    cafe = await a_list(caller, "Café da manhã")
    await a_list(caller, "Padaria")
    percent = await a_list(caller, "100% algodão")

    async def found(q: str) -> list[str]:
        query = "query($q: String) { lists(first: 9, filter: {q: $q}) { nodes { id } } }"
        return [node["id"] for node in (await data_of(caller, query, q=q))["lists"]["nodes"]]

    assert await found("cafe") == [cafe]
    assert await found("%") == [percent]
    assert await found("nothing") == []


async def test_a_list_shows_its_members_page_by_page_and_nobody_else() -> None:
    caller = await a_caller("test")
    members = [(await a_contact(caller))["id"] for _ in range(3)]
    await a_contact(caller)
    id = await a_list(caller, "Three", *members)

    first = (await data_of(caller, MEMBERS, id=id, first=2))["list"]["contacts"]
    rest = (await data_of(caller, MEMBERS, id=id, first=2, after=first["pageInfo"]["endCursor"]))[
        "list"
    ]["contacts"]

    assert [node["id"] for page in (first, rest) for node in page["nodes"]] == members[::-1]
    assert [page["pageInfo"]["hasNextPage"] for page in (first, rest)] == [True, False]
    assert first["totalCount"] == rest["totalCount"] == 3


async def test_phones_of_members_are_masked_as_anywhere() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, phone="+5511987654321")
    id = await a_list(caller, "One", contact["id"])

    async def phone(*scopes: Scope) -> str:
        shown = await data_of(bare(caller, Scope.CONTACTS_READ, *scopes), MEMBERS, id=id, first=1)
        text: str = shown["list"]["contacts"]["nodes"][0]["phone"]
        return text

    assert await phone(Scope.PII_FULL) == "+5511987654321"
    assert "98765" not in await phone()


async def test_a_contact_shows_the_lists_it_is_on_the_newest_first() -> None:
    caller = await a_caller("test")
    contact, other = [(await a_contact(caller))["id"] for _ in range(2)]
    old = await a_list(caller, "Old", contact, other)
    await a_list(caller, "Of the other", other)
    new = await a_list(caller, "New", contact)

    shown = await data_of(
        caller, "query($id: ID!) { contact(id: $id) { lists { id name size } } }", id=contact
    )

    assert shown["contact"]["lists"] == [
        {"id": new, "name": "New", "size": 1},
        {"id": old, "name": "Old", "size": 2},
    ]


async def test_lists_need_the_scope_of_contacts() -> None:
    caller = await a_caller("test")
    id = await a_list(caller, "List")
    query = f'{{ me {{ env }} list(id: "{id}") {{ id }} lists(first: 1) {{ totalCount }} }}'

    content = await ask(bare(caller, Scope.CRM_READ), query)

    assert content["data"] == {"me": {"env": "TEST"}, "list": None, "lists": None}
    assert [error["extensions"]["meta"] for error in content["errors"]] == [
        {"escopoExigido": "contacts:read"}
    ] * 2


async def test_lists_of_another_organization_and_environment_are_not_there() -> None:
    caller = await a_caller("test")
    id = await a_list(caller, "List", (await a_contact(caller))["id"])

    for other in await other_sides(caller):
        assert (await data_of(other, f'{{ list(id: "{id}") {{ id }} }}'))["list"] is None
        assert await walked(other, "lists") == []
