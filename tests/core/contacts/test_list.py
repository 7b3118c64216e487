"""Pages of contacts: what they hold, in which order, and where the next one begins."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

import pytest

from core import contacts, lists
from core.contacts import ContactFilter
from core.foundation.clock import now, wire_time
from core.foundation.database.pages import cursor_after
from core.foundation.errors import Forbidden
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from tests.core.contacts.conftest import strangers, without_personal_data
from tests.factories.contacts import a_contact, a_denial, changed_contact
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact, stored_contacts

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)


async def page(caller: Caller, **filter: Any) -> Any:
    return await contacts.list_contacts(caller, ContactFilter.model_validate(filter))


def ids(found: dict[str, Any]) -> list[str]:
    return [item["id"] for item in found["items"]]


async def by_cursor(caller: Caller, **filter: Any) -> list[str]:
    """The ids of all pages, in their order."""
    found = await page(caller, **filter)
    seen = ids(found)
    while "nextCursor" in found:
        found = await page(caller, **filter, cursor=found["nextCursor"])
        assert found["items"]
        seen += ids(found)
    return seen


async def stored_at(caller: Caller, *minutes: int) -> list[str]:
    """Contacts created and changed so many minutes after a moment."""
    times = [AT + timedelta(minutes=minute) for minute in minutes]
    return await stored_contacts(caller, [{"created_at": at, "updated_at": at} for at in times])


async def test_the_newest_comes_first(caller: Caller) -> None:
    made = await stored_at(caller, 2, 1, 3)

    found = await page(caller)

    assert ids(found) == [made[2], made[0], made[1]]
    assert found["total"] == 3
    assert set(found) == {"items", "total"}


async def test_an_item_is_the_record_without_documents(caller: Caller) -> None:
    made = await a_contact(caller, name="Ana", cpf="52998224725", optIn={"status": "granted"})

    assert (await page(caller))["items"] == [made]
    assert "documentos" not in made


async def test_phones_are_masked_without_the_scope(caller: Caller) -> None:
    await stored_contact(caller, phone="+5511987654321")

    assert (await page(without_personal_data(caller)))["items"][0]["phone"] == "+5511*****4321"


async def test_contacts_of_others_are_not_listed(caller: Caller) -> None:
    for stranger in await strangers(caller):
        await stored_contact(stranger, tags=["vip"])

    assert await page(caller) == await page(caller, tag="vip") == {"items": [], "total": 0}


async def test_without_the_scope_nothing_is_listed(clean_slate: None) -> None:
    with pytest.raises(Forbidden):
        await page(await a_caller(scopes=frozenset({Scope.CONTACTS_WRITE})))


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_pages_by_cursor_hold_everybody_once_also_when_times_are_equal(
    caller: Caller, limit: int
) -> None:
    minutes = (1, 1, 1, 1, 2, 2, 0)
    made = await stored_at(caller, *minutes)
    newest_first = [id for _, id in sorted(zip(minutes, made, strict=True), reverse=True)]

    assert await by_cursor(caller, limit=limit) == newest_first
    since = wire_time(AT)
    assert await by_cursor(caller, limit=limit, updatedSince=since) == newest_first[::-1]


async def test_pages_by_skip_hold_everybody_once(caller: Caller) -> None:
    await stored_at(caller, *range(5))

    pages = [ids(await page(caller, limit=2, skip=skip)) for skip in (0, 2, 4, 6)]

    assert [len(one) for one in pages] == [2, 2, 1, 0]
    assert list(chain(*pages)) == ids(await page(caller))


async def test_a_page_has_fifty_unless_told_and_two_hundred_at_most(caller: Caller) -> None:
    await stored_contacts(caller, [{} for _ in range(201)])

    assert [
        len(ids(await page(caller, **limit))) for limit in ({}, {"limit": 200}, {"limit": 5_000})
    ] == [50, 200, 200]
    assert (await page(caller))["total"] == 201


async def test_the_last_page_has_no_cursor(caller: Caller) -> None:
    await stored_at(caller, 1, 2)

    assert "nextCursor" not in await page(caller, limit=2)
    assert "nextCursor" in await page(caller, limit=1)


async def test_who_comes_meanwhile_moves_no_page(caller: Caller) -> None:
    made = await stored_at(caller, 1, 2, 3, 4)
    first = await page(caller, limit=2)
    await stored_at(caller, 5)

    second = await page(caller, limit=2, cursor=first["nextCursor"])

    assert ids(second) == [made[1], made[0]]
    assert second["total"] == 4


@pytest.mark.parametrize(
    "cursor", ["", "x", "AAAA", "bm90IGEgY3Vyc29y.c2", "\u00e9", "W10.c1", "."]
)
@pytest.mark.parametrize("since", [{}, {"updatedSince": "2020-01-01"}])
async def test_an_unreadable_cursor_gives_an_empty_page_and_never_the_first(
    caller: Caller, cursor: str, since: dict[str, str]
) -> None:
    await stored_at(caller, 1)

    assert await page(caller, cursor=cursor, **since) == {
        "items": [],
        "total": 0,
        "warnings": ["cursor_invalido"],
    }


async def test_a_cursor_of_the_other_order_is_unreadable(caller: Caller) -> None:
    await stored_at(caller, 1, 2)
    newest = (await page(caller, limit=1))["nextCursor"]
    changed = (await page(caller, limit=1, updatedSince="2020-01-01"))["nextCursor"]

    assert (await page(caller, cursor=newest, updatedSince="2020-01-01"))["warnings"] == [
        "cursor_invalido"
    ]
    assert (await page(caller, cursor=changed))["warnings"] == ["cursor_invalido"]


@pytest.mark.parametrize(
    "since", ["", "yesterday", "2026", "2026-13-01", "1700000000", "2026-01-20T25:00:00Z"]
)
async def test_an_unreadable_date_gives_an_empty_page(caller: Caller, since: str) -> None:
    await stored_at(caller, 1)

    assert await page(caller, updatedSince=since) == {
        "items": [],
        "total": 0,
        "warnings": ["updatedSince_invalido"],
    }


@pytest.mark.parametrize(
    ("since", "found"),
    [
        ("2026-01-20T12:02:00Z", 2),
        ("2026-01-20T12:02:00", 2),
        ("2026-01-20T09:02:00-03:00", 2),
        ("2026-01-20T12:02:00.001Z", 1),
        ("2026-01-20", 3),
        ("9999-12-31T23:59:59Z", 0),
        ("0001-01-01T00:00:00Z", 3),
    ],
)
async def test_updated_since_includes_its_instant(caller: Caller, since: str, found: int) -> None:
    await stored_at(caller, 1, 2, 3)

    assert (await page(caller, updatedSince=since))["total"] == found


async def test_a_synchronisation_sees_a_change_behind_what_it_has_seen(caller: Caller) -> None:
    made = await stored_at(caller, 1, 2, 3)
    first = await page(caller, updatedSince=wire_time(AT), limit=2)
    await changed_contact(caller, made[0], name="Ana")

    second = await page(caller, updatedSince=wire_time(AT), limit=2, cursor=first["nextCursor"])

    assert (ids(first), ids(second)) == ([made[0], made[1]], [made[2], made[0]])


async def test_a_change_comes_behind_the_one_that_it_waited_for(caller: Caller) -> None:
    ahead = now() + timedelta(minutes=1)
    made = await stored_contacts(caller, [{"updated_at": ahead} for _ in range(4)])
    phone = (await contacts.get_contact(caller, made[0]))["phone"]
    first = await page(caller, updatedSince=wire_time(AT), limit=3)
    last = await page(caller, updatedSince=wire_time(AT), limit=3, cursor=first["nextCursor"])
    passed = cursor_after(ahead, last["items"][0]["id"]) + ".u4"

    await contacts.record_interactions(
        caller.organization_id, "test", [contacts.Interaction(phone, now())], at=now()
    )
    await changed_contact(caller, made[1], name="Ana")
    await a_denial(caller, (await contacts.get_contact(caller, made[2]))["phone"])

    assert set(ids(await page(caller, updatedSince=wire_time(AT), cursor=passed))) == set(made[:3])


async def test_contacts_are_found_by_what_they_have(caller: Caller) -> None:
    tagged = await stored_contact(caller, tags=["vip", "novo"])
    granted = await stored_contact(caller, opt_in_status="granted")
    imported = await stored_contact(caller, source="import", external_id="crm-1")

    for filter, found in (
        ({"tag": "vip"}, [tagged]),
        ({"optInStatus": "granted"}, [granted]),
        ({"source": "import"}, [imported]),
        ({"externalId": "crm-1"}, [imported]),
        ({"source": "import", "externalId": "crm-1", "optInStatus": "unknown"}, [imported]),
        ({"source": "import", "tag": "vip"}, []),
    ):
        listed = await page(caller, **filter)
        assert (ids(listed), listed["total"]) == (found, len(found)), filter


@pytest.mark.parametrize(
    "filter",
    [
        {"tag": "vi"},
        {"tag": "VIP"},
        {"optInStatus": "maybe"},
        {"source": "pigeon"},
        {"externalId": "crm"},
        {"listId": "nonsense"},
        {"listId": new_id("lst")},
    ],
)
async def test_a_value_that_does_not_exist_matches_nothing(
    caller: Caller, filter: dict[str, str]
) -> None:
    await stored_contact(caller, tags=["vip"], external_id="crm-1")

    assert await page(caller, **filter) == {"items": [], "total": 0}


async def test_the_contacts_of_a_list_are_listed(caller: Caller) -> None:
    made = await stored_at(caller, 1, 2, 3)
    list_id = (await lists.create_list(caller, lists.NewList(name="VIP")))["id"]
    await lists.add_members(caller, list_id, lists.Members(contact_ids=made[:2]))

    assert ids(await page(caller, listId=list_id)) == [made[1], made[0]]
    assert await by_cursor(caller, listId=list_id, limit=1) == [made[1], made[0]]
    for stranger in await strangers(caller):
        assert await page(stranger, listId=list_id) == {"items": [], "total": 0}


async def test_many_are_read_by_their_ids_in_the_order_asked(caller: Caller) -> None:
    made = await stored_at(caller, 1, 2)
    (theirs,) = await stored_at(await a_caller(), 1)

    found = await contacts.contacts_by_ids(caller, [made[1], theirs, "nonsense", made[0]])

    assert [one and one["id"] for one in found] == [made[1], None, None, made[0]]
