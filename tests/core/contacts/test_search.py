"""Free text finds any part of name, profile name, e-mail and phone."""

from typing import Any

import pytest

from core import contacts
from core.contacts import ContactFilter
from core.contacts.search import search_condition
from core.foundation.security.caller import Caller
from tests.core.contacts.conftest import without_personal_data
from tests.factories.contacts import a_contact, changed_contact
from tests.factories.stored_contacts import stored_contact, stored_contacts


async def search(caller: Caller, q: str, **more: Any) -> Any:
    return await contacts.list_contacts(caller, ContactFilter.model_validate({"q": q, **more}))


@pytest.fixture
async def ana(caller: Caller) -> str:
    """Somebody to find, among others."""
    await stored_contact(caller, name="Bruno", email="bruno@example.org", phone="+551133334444")
    return await stored_contact(
        caller,
        name="Ána Conceição 100%_\\",
        whatsapp_profile_name="Aninha ☀️",
        email="A.Souza@Example.com",
        phone="+5511987654321",
    )


@pytest.mark.parametrize(
    "q",
    [
        "ána", "ANA", "ana con", "conceicao", "CONCEIÇÃO", "Conceic\u0327a\u0303o", "ç", "a\u0301n", "0%_\\",
        "aninha", "☀️", "souza@", "SOUZA@EXAMPLE.COM", "  conceição ",
        "+5511987654321", "(11) 98765-4321", "11 8765-4321", "011 98765 4321", "87654321", "4321", "551187654321",
        "987.654",
    ],
)  # fmt: skip
async def test_a_part_in_any_case_and_without_accents_finds(
    caller: Caller, ana: str, q: str
) -> None:
    found = await search(caller, q)

    assert [item["id"] for item in found["items"]] == [ana]
    assert found["total"] == 1


@pytest.mark.parametrize(
    "q", ["xyz", "%", "_n_", "ana\nconceicao", "99999", "ana souza", "'; --", "x" * 5_000]
)
async def test_what_is_no_part_finds_nobody(caller: Caller, q: str) -> None:
    await stored_contact(caller, name="Ana Conceição", email="ana@example.com")

    assert await search(caller, q) == {"items": [], "total": 0}


@pytest.mark.parametrize("q", ["", " ", "\t"])
async def test_an_empty_text_is_no_search(caller: Caller, ana: str, q: str) -> None:
    assert (await search(caller, q))["total"] == 2
    assert "warnings" not in await search(without_personal_data(caller), q)


async def test_a_text_longer_than_any_contact_is_not_looked_for(caller: Caller, ana: str) -> None:
    """The trigrams of 50,000 characters kept the database busy for 42 s."""
    assert search_condition("y" * 1_001, 1) == ("false", [])
    assert (await search(caller, "y" * 50_000))["total"] == 0


async def test_a_phone_that_lacks_the_ninth_digit_is_found_with_it(caller: Caller) -> None:
    made = await a_contact(caller, phone="+551187654321")

    for q in ("11987654321", "+55 (11) 98765-4321", "1187654321"):
        assert [item["id"] for item in (await search(caller, q))["items"]] == [made["id"]]


async def test_without_the_scope_the_search_is_dropped_with_a_warning(
    caller: Caller, ana: str
) -> None:
    found = await search(without_personal_data(caller), "ana", source="api")

    assert (found["total"], found["warnings"]) == (2, ["q_ignorado_requer_pii_full"])


async def test_a_search_narrows_with_the_other_filters(caller: Caller, ana: str) -> None:
    assert (await search(caller, "example", source="import"))["total"] == 0
    assert (await search(caller, "example", updatedSince="2020-01-01"))["total"] == 2
    first = await search(caller, "example", limit=1)
    second = await search(caller, "example", limit=1, cursor=first["nextCursor"])
    assert {item["id"] for item in (*first["items"], *second["items"])} >= {ana}
    assert len({item["id"] for item in (*first["items"], *second["items"])}) == 2


async def test_a_change_is_found_by_what_it_became(caller: Caller) -> None:
    made = await a_contact(caller, name="Ana")

    await changed_contact(caller, made["id"], name="Zulmira")

    assert (await search(caller, "zulmira"))["total"] == 1
    assert (await search(caller, "ana"))["total"] == 0


@pytest.mark.parametrize("q", ["+5511", "5511", "+55119876"])
async def test_the_beginning_of_a_phone_is_looked_for_once(caller: Caller, q: str) -> None:
    """Most have it, so that an index read twice, and again for each that was found, costs several
    times as much.
    """
    found = [{"phone": f"+55119876{place:05d}"} for place in range(3)]
    by_email = {"email": f"{q}@example.com", "phone": "+5521933334444"}
    await stored_contacts(caller, [*found, by_email, {"phone": "+552151155100"}])

    condition, values = search_condition(q, 3)

    assert (await search(caller, q))["total"] == len(found) + 1
    assert (condition.count("svc_trigrams(search_text)"), "SELECT" in condition) == (1, False)
    assert values == [q, q.removeprefix("+")]
