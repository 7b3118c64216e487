"""Static lists over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

import httpx

from tests.factories.stored_contacts import phones, stored_contacts
from tests.rest_api.problem_answers import the_problem
from tests.rest_api.speaking import a_client

LISTS = "/v2/lists"


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
