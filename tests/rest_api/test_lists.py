"""Static lists over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx
import pytest

from core.foundation.ids import new_id
from core.foundation.security.caller import Scope
from core.lists.models import ContactList, ContactListMember
from rest_api.lists.routes import MEMBERS_BODY_LIMIT
from tests.factories.stored_contacts import phones, stored_contacts
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

LISTS = "/v2/lists"
EDITS = [("POST", "/members"), ("PUT", "/members"), ("POST", "/members/remove")]


async def a_list(rest: httpx.AsyncClient, name: str = "VIP") -> str:
    """The address of a new list."""
    return f"{LISTS}/{(await rest.post(LISTS, json={'name': name})).json()['id']}"


async def test_a_list_is_created_read_changed_listed_and_deleted(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    created = await rest.post(LISTS, json={"name": "VIP", "description": "The best"})
    address = f"{LISTS}/{created.json()['id']}"
    read = await rest.get(address)
    changed = await rest.patch(address, json={"name": "Top", "description": None})
    listed = await rest.get(LISTS)
    deleted = await rest.delete(address)

    assert created.status_code == 201
    assert {"name": "VIP", "description": "The best", "size": 0}.items() <= created.json().items()
    assert read.json() == created.json()
    assert (changed.json()["name"], "description" in changed.json()) == ("Top", False)
    assert listed.json() == {"items": [changed.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")
    the_problem(await rest.get(address), 404)
    the_problem(await rest.delete(address), 404)


async def test_a_name_that_is_taken_is_a_conflict(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    await a_list(rest)
    other = await a_list(rest, "Other")

    the_problem(await rest.post(LISTS, json={"name": "VIP"}), 409)
    the_problem(await rest.patch(other, json={"name": "VIP"}), 409)

    assert [item["name"] for item in (await rest.get(LISTS)).json()["items"]] == ["Other", "VIP"]


async def test_members_are_put_on_replaced_and_taken_off(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    numbers = phones(3)
    made = await stored_contacts(
        caller,
        [{"phone": phone, "external_id": f"crm-{place}"} for place, phone in enumerate(numbers)],
    )
    address = await a_list(rest)
    list_id = address.removeprefix(f"{LISTS}/")

    added = await rest.post(
        f"{address}/members",
        json={
            "externalIds": ["crm-0", "nobody"],
            "contactIds": [made[0]],
            "phones": ["(11) 98000-0001"],
        },
    )
    replaced = await rest.put(f"{address}/members", json={"contactIds": made[1:]})
    removed = await rest.post(f"{address}/members/remove", json={"externalIds": ["crm-1"]})

    assert added.json() == {
        "listId": list_id,
        "matched": 2,
        "added": 2,
        "removed": 0,
        "total": 2,
        "notFoundCount": 1,
        "notFound": {"externalIds": ["nobody"], "contactIds": [], "phones": []},
    }
    moved = [
        tuple(answer.json()[name] for name in ("matched", "added", "removed", "total"))
        for answer in (replaced, removed)
    ]
    assert moved == [(2, 1, 1, 2), (1, 0, 1, 1)]
    on_it = (await rest.get("/contacts", params={"listId": list_id})).json()
    assert [(item["id"], item["phone"]) for item in on_it["items"]] == [(made[2], "+5511*****0002")]
    assert (await rest.get(address)).json()["size"] == 1


async def test_replacing_by_nobody_is_refused_and_leaves_the_list(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    made = await stored_contacts(caller, [{}, {}])
    address = await a_list(rest)
    await rest.post(f"{address}/members", json={"contactIds": made})
    before = (await rest.get(address)).json()

    answer = await rest.put(
        f"{address}/members", json={"externalIds": ["nobody-7731"], "phones": ["+5511980009999"]}
    )

    assert "errors" not in the_problem(answer, 422)
    must_not_hold(answer, ["nobody-7731", "980009999"])
    assert (await rest.get(address)).json() == before
    assert await ContactListMember.all().count() == 2


@pytest.mark.parametrize(("method", "path"), EDITS)
@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, ("", "required")),
        ({"externalIds": [], "contactIds": [], "phones": []}, ("", "required")),
        ({"externalIds": None}, ("/externalIds", "wrong_type")),
        ({"externalIds": "crm-7731"}, ("/externalIds", "wrong_type")),
        ({"contactIds": ["x", 7731]}, ("/contactIds/1", "wrong_type")),
        ({"emails": ["secret-7731@example.com"]}, ("/emails", "unknown_field")),
        ({"phones": ["+5511*****7731"]}, ("/phones", "VALOR_MASCARADO")),
        ({"externalIds": ["a\x00"]}, ("/externalIds/0", "nul")),
    ],
)
async def test_a_faulty_edit_is_refused(
    rest: httpx.AsyncClient, method: str, path: str, body: dict[str, Any], wrong: tuple[str, str]
) -> None:
    await a_client(rest)
    address = await a_list(rest)

    answer = await rest.request(method, f"{address}{path}", json=body)

    problem = the_problem(answer, 422)
    assert ("pointer", *wrong) in wrong_fields(problem)
    if wrong[1].isupper():
        assert problem["meta"] == {"code": wrong[1]}
    must_not_hold(answer, ["7731"])
    assert await ContactListMember.all().count() == 0


@pytest.mark.parametrize(("method", "path"), EDITS)
async def test_fifty_thousand_identifiers_are_one_edit_and_one_more_is_refused(
    rest: httpx.AsyncClient, method: str, path: str
) -> None:
    caller = await a_client(rest)
    (contact,) = await stored_contacts(caller, [{}])
    address = await a_list(rest)
    many = {"externalIds": [f"crm-{number}" for number in range(30_000)], "phones": phones(19_999)}

    answer = await rest.request(method, f"{address}{path}", json={**many, "contactIds": [contact]})
    refused = await rest.request(
        method, f"{address}{path}", json={**many, "contactIds": [contact, contact]}
    )

    assert (answer.json()["matched"], answer.json()["notFoundCount"]) == (1, 49_999)
    assert {kind: len(sample) for kind, sample in answer.json()["notFound"].items()} == {
        "externalIds": 100,
        "contactIds": 0,
        "phones": 100,
    }
    assert wrong_fields(the_problem(refused, 422)) == [("pointer", "", "too_many")]


@pytest.mark.parametrize(("method", "path"), EDITS)
async def test_a_body_beyond_every_identifier_is_not_read(
    rest: httpx.AsyncClient, method: str, path: str
) -> None:
    await a_client(rest)
    address = await a_list(rest)

    answer = await rest.request(
        method,
        f"{address}{path}",
        content=b"{}",
        headers={"Content-Length": str(MEMBERS_BODY_LIMIT + 1)},
    )

    the_problem(answer, 413)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, [("/name", "required")]),
        ({"name": "  "}, [("/name", "too_short")]),
        ({"name": "x" * 121}, [("/name", "too_long")]),
        (
            {"name": 1, "description": "x" * 501},
            [("/description", "too_long"), ("/name", "wrong_type")],
        ),
        ({"name": "VIP", "size": 3}, [("/size", "unknown_field")]),
        ([], [("", "wrong_type")]),
    ],
)
async def test_every_wrong_field_of_a_list_is_named(
    rest: httpx.AsyncClient, body: Any, wrong: list[tuple[str, str]]
) -> None:
    await a_client(rest)

    answer = await rest.post(LISTS, json=body)

    assert wrong_fields(the_problem(answer, 422)) == [("pointer", *field) for field in wrong]
    assert await ContactList.all().count() == 0


async def test_a_name_cannot_be_cleared(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    address = await a_list(rest)

    answer = await rest.patch(address, json={"name": None})

    assert wrong_fields(the_problem(answer, 422)) == [("pointer", "/name", "wrong_type")]
    assert (await rest.get(address)).json()["name"] == "VIP"


async def test_a_body_that_is_no_json_cannot_be_read(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    address = await a_list(rest)

    for method, path in [
        ("POST", LISTS),
        ("PATCH", address),
        *((method, f"{address}{path}") for method, path in EDITS),
    ]:
        the_problem(await rest.request(method, path, content=b"{"), 400)


async def test_lists_are_found_by_name_and_read_page_by_page(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    for name in ("São João", "Natal", "Páscoa"):
        await a_list(rest, name)

    first = (await rest.get(LISTS, params={"limit": "2"})).json()
    rest_of_them = (
        await rest.get(LISTS, params={"limit": "2", "cursor": first["nextCursor"]})
    ).json()
    skipped = (await rest.get(LISTS, params={"limit": "9999", "skip": "2"})).json()
    found = (await rest.get(LISTS, params={"q": "sao"})).json()

    assert [item["name"] for item in first["items"] + rest_of_them["items"]] == [
        "Páscoa",
        "Natal",
        "São João",
    ]
    assert (skipped["items"], skipped["total"]) == (rest_of_them["items"], 3)
    assert (found["items"], found["total"]) == (rest_of_them["items"], 1)


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "skip=-1", "cursor=nonsense", "q=%00"])
async def test_a_wrong_parameter_is_named(rest: httpx.AsyncClient, query: str) -> None:
    await a_client(rest)

    ((kind, where, _),) = wrong_fields(the_problem(await rest.get(f"{LISTS}?{query}"), 422))

    assert (kind, where) == ("parameter", query.partition("=")[0])


async def everything(rest: httpx.AsyncClient, address: str) -> list[httpx.Response]:
    """Every operation on one list."""
    nobody = {"contactIds": [new_id("cnt")]}
    return [
        await rest.get(address),
        await rest.patch(address, json={"name": "Mine"}),
        *[await rest.request(method, f"{address}{path}", json=nobody) for method, path in EDITS],
        await rest.delete(address),
    ]


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_a_list_of_others_is_not_there(rest: httpx.AsyncClient, whose: str) -> None:
    caller = await a_client(rest)
    address = await a_list(rest)
    await speak_from_the_other_side(rest, caller, whose)

    for answer in await everything(rest, address):
        the_problem(answer, 404)
    for strange in ("lst_x", "%00", "%ff"):
        the_problem(await rest.get(f"{LISTS}/{strange}"), 404)
    assert (await rest.get(LISTS)).json() == {"items": [], "total": 0}
    assert (await ContactList.get()).name == "VIP"


async def test_lists_need_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address = await a_list(rest)

    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_READ})
    )
    refusals = [
        await rest.post(LISTS, json={"name": "More"}),
        *(await everything(rest, address))[1:],
    ]
    assert {the_problem(answer, 403)["meta"]["escopoExigido"] for answer in refusals} == {
        "contacts:write"
    }

    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_WRITE})
    )
    for answer in (await rest.get(LISTS), await rest.get(address)):
        assert the_problem(answer, 403)["meta"] == {"escopoExigido": "contacts:read"}

    del rest.headers["Authorization"]
    for answer in [
        await rest.get(LISTS),
        await rest.post(LISTS, json={}),
        *await everything(rest, address),
    ]:
        the_problem(answer, 401)
    assert await ContactList.all().count() == 1
