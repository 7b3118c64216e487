"""Making, renaming, finding and deleting lists."""

import asyncio

import pytest

from core import lists
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.lists import ListChanges, ListFilter, NewList
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import phones, stored_contacts

NOBODYS = frozenset({Scope.SMS_READ})


def named(phones: list[str]) -> list[dict[str, str]]:
    """Contacts with these phones and the external ids crm-0, crm-1, …"""
    return [{"phone": phone, "external_id": f"crm-{place}"} for place, phone in enumerate(phones)]


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def names_of(caller: Caller, **filter: object) -> list[str]:
    page = await lists.list_lists(caller, ListFilter.model_validate(filter))
    assert page["total"] >= len(page["items"])
    return [item["name"] for item in page["items"]]


async def test_a_new_list_is_empty(caller: Caller) -> None:
    created = await lists.create_list(caller, NewList(name="  VIP  ", description="The best"))

    assert created["name"] == "VIP"
    assert created["description"] == "The best"
    assert created["size"] == 0
    assert await lists.get_list(caller, created["id"]) == created


async def test_a_name_is_taken_once_per_organization_and_environment(caller: Caller) -> None:
    await lists.create_list(caller, NewList(name="VIP"))

    with pytest.raises(Conflict):
        await lists.create_list(caller, NewList(name="VIP"))

    assert await names_of(caller) == ["VIP"]
    await lists.create_list(
        await a_caller("live", organization_id=caller.organization_id), NewList(name="VIP")
    )
    await lists.create_list(await a_caller(), NewList(name="VIP"))
    await lists.create_list(caller, NewList(name="vip"))


async def test_a_list_cannot_take_the_name_of_another(caller: Caller) -> None:
    await lists.create_list(caller, NewList(name="VIP"))
    other = await lists.create_list(caller, NewList(name="Other"))

    with pytest.raises(Conflict):
        await lists.change_list(caller, other["id"], ListChanges(name="VIP"))

    assert await lists.get_list(caller, other["id"]) == other


async def test_only_what_is_sent_changes_and_null_clears_the_description(caller: Caller) -> None:
    created = await lists.create_list(caller, NewList(name="VIP", description="The best"))

    renamed = await lists.change_list(caller, created["id"], ListChanges(name="Top"))
    assert (renamed["name"], renamed["description"]) == ("Top", "The best")
    assert renamed["updatedAt"] >= created["updatedAt"]

    cleared = await lists.change_list(caller, created["id"], ListChanges(description=None))
    assert cleared["name"] == "Top"
    assert "description" not in cleared


async def test_changing_nothing_leaves_the_time_alone(caller: Caller) -> None:
    created = await lists.create_list(caller, NewList(name="VIP"))

    assert await lists.change_list(caller, created["id"], ListChanges(name="VIP")) == created


async def test_a_deleted_list_leaves_its_contacts(caller: Caller) -> None:
    (contact,) = await stored_contacts(caller, named(phones(1)))
    created = await lists.create_list(caller, NewList(name="VIP"))
    await lists.add_members(caller, created["id"], lists.Members(contact_ids=[contact]))

    await lists.delete_list(caller, created["id"])

    with pytest.raises(NotFound):
        await lists.get_list(caller, created["id"])
    assert await lists.ContactListMember.all().count() == 0
    again = await lists.create_list(caller, NewList(name="VIP"))
    moved = await lists.add_members(caller, again["id"], lists.Members(contact_ids=[contact]))
    assert moved["added"] == 1


async def test_lists_are_shown_newest_first_and_page_by_page(caller: Caller) -> None:
    for name in "abcde":
        await lists.create_list(caller, NewList(name=name))

    assert await names_of(caller) == ["e", "d", "c", "b", "a"]
    assert await names_of(caller, limit=2, skip=1) == ["d", "c"]
    first = await lists.list_lists(caller, ListFilter(limit=2))
    second = await lists.list_lists(caller, ListFilter(limit=2, cursor=first["nextCursor"]))
    third = await lists.list_lists(caller, ListFilter(limit=2, cursor=second["nextCursor"]))
    assert [item["name"] for page in (first, second, third) for item in page["items"]] == [
        "e",
        "d",
        "c",
        "b",
        "a",
    ]
    assert {page["total"] for page in (first, second, third)} == {5}
    assert "nextCursor" not in third


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("JOAO", ["São João"]),
        ("ão", ["São João"]),
        ("50%", ["50% off"]),
        ("_", []),
        ("o", ["50% off", "São João"]),
    ],
)
async def test_a_name_is_found_by_any_part_of_it(caller: Caller, q: str, found: list[str]) -> None:
    for name in ("São João", "50% off", "VIP"):
        await lists.create_list(caller, NewList(name=name))

    assert await names_of(caller, q=q) == found


@pytest.mark.parametrize("env", ["test", "live"])
async def test_a_list_of_others_is_not_there(caller: Caller, env: str) -> None:
    created = await lists.create_list(caller, NewList(name="VIP"))
    same = caller.organization_id if env == "live" else None
    stranger = await a_caller("live" if env == "live" else "test", organization_id=same)
    nothing = lists.Members(contact_ids=[new_id("cnt")])

    for attempt in (
        lists.get_list(stranger, created["id"]),
        lists.change_list(stranger, created["id"], ListChanges(name="Mine")),
        lists.delete_list(stranger, created["id"]),
        lists.add_members(stranger, created["id"], nothing),
        lists.replace_members(stranger, created["id"], nothing),
        lists.remove_members(stranger, created["id"], nothing),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await names_of(stranger) == []
    assert await lists.get_list(caller, created["id"]) == created


async def test_every_use_case_needs_its_scope(caller: Caller) -> None:
    created = await lists.create_list(caller, NewList(name="VIP"))
    stranger = await a_caller(scopes=NOBODYS, organization_id=caller.organization_id)
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )
    nobody = lists.Members(contact_ids=[new_id("cnt")])

    for attempt in (
        lists.get_list(stranger, created["id"]),
        lists.list_lists(stranger, ListFilter()),
        lists.create_list(reader, NewList(name="More")),
        lists.change_list(reader, created["id"], ListChanges(name="More")),
        lists.delete_list(reader, created["id"]),
        lists.add_members(reader, created["id"], nobody),
        lists.replace_members(reader, created["id"], nobody),
        lists.remove_members(reader, created["id"], nobody),
    ):
        with pytest.raises(Forbidden):
            await attempt
    assert await names_of(caller) == ["VIP"]


@pytest.mark.usefixtures("real_commits")
async def test_of_two_lists_that_want_one_name_at_once_one_gets_it() -> None:
    caller = await a_caller()

    outcomes = await asyncio.gather(
        *(lists.create_list(caller, NewList(name="VIP")) for _ in range(8)), return_exceptions=True
    )

    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    assert {type(outcome) for outcome in outcomes if isinstance(outcome, ServiceError)} == {
        lists.ListNameTaken
    }
