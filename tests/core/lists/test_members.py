"""Who is on a list, by identifiers of three kinds."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from core import lists
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.lists import Members, NewList
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import phones, stored_contacts
from tests.support.races import outside, somebody_waits


def named(phones: list[str]) -> list[dict[str, str]]:
    """Contacts with these phones and the external ids crm-0, crm-1, …"""
    return [{"phone": phone, "external_id": f"crm-{place}"} for place, phone in enumerate(phones)]


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def a_list(caller: Caller) -> str:
    id: str = (await lists.create_list(caller, NewList(name="VIP")))["id"]
    return id


async def on(id: str) -> set[str]:
    return {member.contact_id for member in await lists.ContactListMember.filter(list_id=id)}


def numbers(moved: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(moved[name] for name in ("matched", "added", "removed", "total", "notFoundCount"))


async def test_contacts_are_added_by_any_of_their_identifiers(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(4)))
    id = await a_list(caller)

    moved = await lists.add_members(
        caller,
        id,
        Members(external_ids=["crm-0"], contact_ids=[made[1]], phones=["(11) 98000-0002"]),
    )

    assert moved == {
        "listId": id,
        "matched": 3,
        "added": 3,
        "removed": 0,
        "total": 3,
        "notFoundCount": 0,
        "notFound": {"externalIds": [], "contactIds": [], "phones": []},
    }
    assert await on(id) == set(made[:3])
    assert (await lists.get_list(caller, id))["size"] == 3


async def test_one_contact_named_three_times_is_one_member(caller: Caller) -> None:
    (contact,) = await stored_contacts(caller, named(phones(1)))
    id = await a_list(caller)
    thrice = Members(
        external_ids=["crm-0", "crm-0"],
        contact_ids=[contact],
        phones=["+5511980000000", "+551180000000"],
    )

    assert numbers(await lists.add_members(caller, id, thrice)) == (1, 1, 0, 1, 0)


async def test_who_is_there_already_is_matched_and_not_added(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(3)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made[:2]))

    assert numbers(await lists.add_members(caller, id, Members(contact_ids=made))) == (
        3,
        1,
        0,
        3,
        0,
    )


async def test_identifiers_of_nobody_are_counted_and_named(caller: Caller) -> None:
    (contact,) = await stored_contacts(caller, named(phones(1)))
    id, unknown = await a_list(caller), new_id("cnt")

    moved = await lists.add_members(
        caller,
        id,
        Members(
            external_ids=["nobody", "nobody"],
            contact_ids=[contact, unknown, "no id at all"],
            phones=["+5511980009999", "11980009999", "no phone"],
        ),
    )

    assert numbers(moved) == (1, 1, 0, 1, 5)
    assert moved["notFound"]["externalIds"] == ["nobody"]
    assert set(moved["notFound"]["contactIds"]) == {unknown, "no id at all"}
    assert set(moved["notFound"]["phones"]) == {"+5511980009999", "no phone"}
    assert await on(id) == {contact}


async def test_at_most_a_hundred_of_each_kind_are_named(caller: Caller) -> None:
    id = await a_list(caller)
    many = [str(number) for number in range(150)]

    moved = await lists.add_members(
        caller, id, Members(external_ids=many, contact_ids=many, phones=phones(150))
    )

    assert moved["notFoundCount"] == 450
    assert {
        kind: len(set(sample)) for kind, sample in dict[str, Any](moved["notFound"]).items()
    } == {
        "externalIds": 100,
        "contactIds": 100,
        "phones": 100,
    }


async def test_contacts_of_others_are_as_unknown_as_those_that_do_not_exist(caller: Caller) -> None:
    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        (theirs,) = await stored_contacts(stranger, named(phones(1)))
        id = (await lists.create_list(caller, NewList(name=theirs)))["id"]

        moved = await lists.add_members(
            caller, id, Members(external_ids=["crm-0"], contact_ids=[theirs], phones=phones(1))
        )

        assert numbers(moved) == (0, 0, 0, 0, 3)
        assert await on(id) == set()


async def test_replacing_adds_who_is_missing_and_removes_the_rest(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(4)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made[:3]))

    moved = await lists.replace_members(caller, id, Members(contact_ids=made[2:]))

    assert numbers(moved) == (2, 1, 2, 2, 0)
    assert await on(id) == set(made[2:])


async def test_replacing_by_nobody_is_refused_and_changes_nothing(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(2)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made))
    before = await lists.get_list(caller, id)

    with pytest.raises(ValidationFailed) as refused:
        await lists.replace_members(
            caller, id, Members(external_ids=["nobody"], phones=["+5511980009999"])
        )

    assert "98000" not in refused.value.detail
    assert await on(id) == set(made)
    assert await lists.get_list(caller, id) == before


async def test_removed_contacts_leave_the_list_and_stay_contacts(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(3)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made[:2]))

    moved = await lists.remove_members(caller, id, Members(external_ids=["crm-1", "crm-2"]))

    assert numbers(moved) == (2, 0, 1, 1, 0)
    assert await on(id) == {made[0]}
    assert numbers(await lists.add_members(caller, id, Members(contact_ids=made))) == (
        3,
        2,
        0,
        3,
        0,
    )


async def test_only_a_real_move_changes_the_time(caller: Caller) -> None:
    made = await stored_contacts(caller, named(phones(1)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made))
    before = await lists.get_list(caller, id)

    await lists.add_members(caller, id, Members(contact_ids=made))
    assert await lists.get_list(caller, id) == before
    await lists.remove_members(caller, id, Members(contact_ids=made))
    assert (await lists.get_list(caller, id))["updatedAt"] > before["updatedAt"]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"externalIds": [], "phones": []},
        {"externalIds": ["x"] * 50_001},
        {"externalIds": ["x"] * 25_000, "contactIds": ["x"] * 25_001},
        {"phones": ["+5511*****4321"]},
        {"contactIds": [1]},
        {"emails": ["a@b.c"]},
    ],
)
def test_too_few_too_many_masked_and_unknown_identifiers_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Members.model_validate(wrong)


def test_fifty_thousand_identifiers_are_allowed() -> None:
    Members(external_ids=["x"] * 20_000, contact_ids=["x"] * 20_000, phones=["x"] * 10_000)


@pytest.mark.usefixtures("real_commits")
async def test_many_callers_at_once_count_every_member_once() -> None:
    caller = await a_caller()
    made = await stored_contacts(caller, named(phones(60)))
    id = await a_list(caller)

    await asyncio.gather(
        *(
            lists.add_members(caller, id, Members(contact_ids=made[start : start + 20]))
            for start in range(0, 50, 5)
        ),
        *(
            lists.remove_members(caller, id, Members(contact_ids=made[start::10]))
            for start in range(3)
        ),
    )

    assert (await lists.get_list(caller, id))["size"] == len(await on(id))


@pytest.mark.usefixtures("real_commits")
async def test_of_replacements_at_once_the_list_is_exactly_one() -> None:
    caller = await a_caller()
    made = await stored_contacts(caller, named(phones(30)))
    id = await a_list(caller)
    wanted = [made[:20], made[10:], made[5:25:2], made[:1]]

    moved = await asyncio.gather(
        *(lists.replace_members(caller, id, Members(contact_ids=ids)) for ids in wanted * 2)
    )

    left = await on(id)
    assert left in [set(ids) for ids in wanted]
    assert (await lists.get_list(caller, id))["size"] == len(left)
    assert sum(one["added"] - one["removed"] for one in moved) == len(left)


@pytest.mark.usefixtures("real_commits")
async def test_who_is_added_while_the_list_is_replaced_is_on_it_only_if_the_addition_came_last() -> (
    None
):
    caller = await a_caller()
    made = await stored_contacts(caller, named(phones(3)))
    id = await a_list(caller)

    async with transaction():
        await lists.replace_members(caller, id, Members(contact_ids=made[:2]))
        adding = outside(lists.add_members(caller, id, Members(contact_ids=made[1:])))
        await somebody_waits()

    assert numbers(await adding) == (2, 1, 0, 3, 0)
    assert await on(id) == set(made)


@pytest.mark.usefixtures("real_commits")
@pytest.mark.parametrize("edit", [lists.add_members, lists.replace_members, lists.remove_members])
async def test_an_edit_that_waits_for_a_deletion_finds_no_list(edit: Any) -> None:
    caller = await a_caller()
    made = await stored_contacts(caller, named(phones(2)))
    id = await a_list(caller)
    await lists.add_members(caller, id, Members(contact_ids=made[:1]))

    async with transaction():
        await lists.delete_list(caller, id)
        editing = outside(edit(caller, id, Members(contact_ids=made)))
        await somebody_waits()

    with pytest.raises(NotFound):
        await editing
    assert await on(id) == set()


@pytest.mark.usefixtures("real_commits")
async def test_a_deletion_that_waits_for_an_edit_takes_the_new_members_too() -> None:
    caller = await a_caller()
    made = await stored_contacts(caller, named(phones(2)))
    id = await a_list(caller)

    async with transaction():
        await lists.add_members(caller, id, Members(contact_ids=made))
        deleting = outside(lists.delete_list(caller, id))
        await somebody_waits()
    await deleting

    assert await on(id) == set()
