"""Pages of companies: by name, searched by name or CNPJ, at any depth; and what is counted of each."""

from typing import Any

import pytest

from core import companies
from core.cards.models import Card
from core.contacts import Contact
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.pages import MAX_CURSOR_LENGTH
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from tests.core.companies.conftest import a_member, strangers, told, without
from tests.factories.cards import some_deals
from tests.factories.companies import a_cnpj, a_company, listed, masked, with_wrong_digits
from tests.factories.contacts import a_contact
from tests.support.graphql import data_of


async def names(caller: Caller, **query: str) -> list[str]:
    return [item["nome"] for item in (await listed(caller, **query))["items"]]


async def several(caller: Caller, *given: str, **fields: Any) -> None:
    for name in given:
        await a_company(caller, nome=name, **fields)


async def test_companies_come_by_their_names_without_case_and_accents(caller: Caller) -> None:
    await several(caller, "zebra", "Água", "Banco", "abacate", "Ábaco")

    assert await names(caller) == ["abacate", "Ábaco", "Água", "Banco", "zebra"]


async def test_a_page_tells_how_many_there_are(caller: Caller) -> None:
    await several(caller, *(f"Loja {number:02}" for number in range(30)))

    page = await listed(caller)

    assert (len(page["items"]), page["total"]) == (25, 30)
    assert await names(caller, limit="2", skip="3") == ["Loja 03", "Loja 04"]
    assert (await listed(caller, skip="30"))["items"] == []


async def test_cursors_lead_through_all_of_them_once_also_through_namesakes(caller: Caller) -> None:
    await several(caller, *["Igual"] * 5, "Outra", "igual", "Ímpar", "Ígual")
    seen: list[str] = []
    cursor = None

    while True:
        page = await listed(caller, limit="2", **({"cursor": cursor} if cursor else {}))
        assert page["total"] == 9
        seen += [item["id"] for item in page["items"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break

    assert len(seen) == len(set(seen)) == 9
    assert seen == [item["id"] for item in (await listed(caller))["items"]]


LONG = [f"{'Associação dos ' * 12}{tail}" for tail in ("A", "B", "C", "D", "E")] + [
    "会" * 199 + "一",
    "会" * 200,
]
"""Names of which no cursor has room for the whole, alike up to their last letter."""


async def pages_of(caller: Caller, limit: int) -> list[dict[str, Any]]:
    """Every page from the first to the last."""
    pages = [await listed(caller, limit=str(limit))]
    while cursor := pages[-1].get("nextCursor"):
        assert len(cursor) <= MAX_CURSOR_LENGTH
        pages.append(await listed(caller, limit=str(limit), cursor=cursor))
    return pages


async def test_cursors_stay_short_whatever_companies_are_called(caller: Caller) -> None:
    await several(caller, *LONG, *LONG, "Curta")

    pages = await pages_of(caller, 2)

    seen = [item["id"] for page in pages for item in page["items"]]
    assert seen == [item["id"] for item in (await listed(caller))["items"]]
    assert len(set(seen)) == 15


@pytest.mark.parametrize("change", ["renamed", "deleted"])
async def test_where_the_company_of_a_cursor_is_no_more_nothing_is_left_out(
    caller: Caller, change: str
) -> None:
    await several(caller, *LONG[:5])
    first = await listed(caller, limit="2")
    last = first["items"][-1]["id"]
    if change == "renamed":
        await db.execute("UPDATE companies SET name = $2 WHERE id = $1", last, f"{LONG[4]} Z")
    else:
        await db.execute("DELETE FROM companies WHERE id = $1", last)

    rest = await listed(caller, cursor=first["nextCursor"])

    assert {LONG[2], LONG[3], LONG[4]} <= {item["nome"] for item in rest["items"]}


@pytest.mark.parametrize("whole", ["first", "last"])
async def test_graphql_pages_of_long_names_in_both_directions(caller: Caller, whole: str) -> None:
    await several(caller, *LONG)
    behind = {"first": ("after", "endCursor"), "last": ("before", "startCursor")}[whole]
    page = (
        f"companies({whole}: 2, {behind[0]}: $c) {{ nodes {{ nome }} pageInfo {{ {behind[1]} }} }}"
    )
    query = f"query($c: String) {{ {page} }}"
    seen: list[str] = []
    cursor = None
    while found := (answered := (await data_of(caller, query, c=cursor))["companies"])["nodes"]:
        names = [node["nome"] for node in found]
        seen = seen + names if whole == "first" else names + seen
        cursor = answered["pageInfo"][behind[1]]
        assert len(cursor) <= MAX_CURSOR_LENGTH

    assert seen == [item["nome"] for item in (await listed(caller))["items"]]


@pytest.mark.parametrize(
    "cursor", ["", "x", "W10", "WyJhIiwiYiIsLTFd", "WzEsMiwzXQ", "WyJhXHUwMDAwIiwiYiIsMV0", "é"]
)
async def test_a_cursor_that_is_none_is_refused(caller: Caller, cursor: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await listed(caller, cursor=cursor)

    assert told(refused.value) == [("cursor", "wrong_format")]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many", ""])
async def test_a_limit_outside_its_bounds_is_refused(caller: Caller, limit: str) -> None:
    with pytest.raises(ValidationFailed):
        await listed(caller, limit=limit)


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("padaria", ["Padaria São João"]),
        ("SAO JOAO", ["Padaria São João"]),
        ("são", ["Padaria São João"]),
        ("ja", ["100% Já", "Loja_1"]),
        ("a", ["100% Já", "Loja_1", "Padaria São João"]),
        ("%", ["100% Já"]),
        ("_", ["Loja_1"]),
        ("\\", []),
        ("  loja  ", ["Loja_1"]),
        ("   ", ["100% Já", "Loja_1", "Padaria São João"]),
        ("xyz", []),
        (".", []),
        ("l.ja", []),
        ("sa\u0303o jo", ["Padaria São João"]),
        ("[" * 200, []),
        ("a" * 5000, []),
    ],
)
async def test_a_part_of_the_name_is_enough(caller: Caller, q: str, found: list[str]) -> None:
    await several(caller, "Padaria São João", "Loja_1", "100% Já")

    page = await listed(caller, q=q)

    assert [item["nome"] for item in page["items"]] == found
    assert page["total"] == len(found)


async def test_a_name_is_found_however_its_accents_were_typed(caller: Caller) -> None:
    await a_company(caller, nome="Sa\u0303o Joa\u0303o")

    assert await names(caller, q="são joão") == ["São João"]


@pytest.mark.parametrize("letters", [False, True])
async def test_a_valid_cnpj_is_searched_as_one(caller: Caller, letters: bool) -> None:
    cnpj = a_cnpj(letters=letters)
    await a_company(caller, nome="A certa", cnpj=cnpj)
    await a_company(caller, nome=f"Fala de {cnpj} e {masked(cnpj)}")

    for q in (cnpj, masked(cnpj), f" {masked(cnpj).lower()} "):
        assert await names(caller, q=q) == ["A certa"]


async def test_a_cnpj_with_a_wrong_digit_is_searched_as_a_name(caller: Caller) -> None:
    cnpj = a_cnpj()
    wrong = with_wrong_digits(cnpj)
    await a_company(caller, nome="A certa", cnpj=cnpj)
    await a_company(caller, nome=f"Filial {wrong}")

    assert await names(caller, q=wrong) == [f"Filial {wrong}"]


async def test_companies_of_one_person(caller: Caller) -> None:
    member = await a_member(caller)
    await a_company(caller, nome="Minha", responsavelId=member)
    await a_company(caller, nome="De ninguém")

    assert await names(caller, responsavelId=member) == ["Minha"]
    assert await names(caller, responsavelId=member, q="nin") == []
    assert await names(caller, responsavelId="acc_of_nobody") == []


async def test_nobody_sees_companies_of_others(caller: Caller) -> None:
    cnpj = a_cnpj()
    for stranger in await strangers(caller):
        await a_company(stranger, cnpj=cnpj)

    for query in ({}, {"q": "padaria"}, {"q": cnpj}):
        assert await listed(caller, **query) == {"items": [], "total": 0}


async def test_contacts_and_deals_are_counted_for_each_company(caller: Caller) -> None:
    busy, idle = await a_company(caller, nome="A"), await a_company(caller, nome="B")
    at = now()
    people = [await a_contact(caller, companyId=busy["id"]) for _ in range(3)]
    await Contact.filter(id=people[1]["id"]).update(last_interaction_at=at)
    deals = await some_deals(caller)
    for value in (0.1, 0.2, 100.5):
        await deals.card(companyId=busy["id"], valor=value)
    await deals.card(companyId=busy["id"])
    await deals.card(companyId=busy["id"], valor=10, moeda="USD")
    await deals.card(stage="Ganho", companyId=busy["id"], valor=999.99)
    await deals.card(stage="Perdido", companyId=busy["id"], valor=5000)
    await deals.card(valor=7)
    counts = {
        "contatos": 3,
        "negociosAbertos": 5,
        "valorAberto": 110.8,
        "ultimaInteracao": wire_time(at),
    }
    nothing = {"contatos": 0, "negociosAbertos": 0, "valorAberto": 0.0, "ultimaInteracao": None}

    page = await listed(caller)

    assert [item["contagens"] for item in page["items"]] == [counts, nothing]
    read = (await companies.get_company(caller, busy["id"]))["contagens"]
    assert read == {**counts, "valorGanho": 999.99, "negociosGanhos": 1}
    read = (await companies.get_company(caller, idle["id"]))["contagens"]
    assert read == {**nothing, "valorGanho": 0.0, "negociosGanhos": 0}


async def test_rows_of_others_are_never_counted(caller: Caller) -> None:
    made = await a_company(caller)
    for stranger in await strangers(caller):
        person = await a_contact(stranger)
        card = await (await some_deals(stranger)).card(valor=5)
        await Contact.filter(id=person["id"]).update(company_id=made["id"])
        await Card.filter(id=card["id"]).update(company_id=made["id"])

    counts = (await companies.get_company(caller, made["id"]))["contagens"]

    assert (counts["contatos"], counts["negociosAbertos"]) == (0, 0)


async def test_listing_needs_its_scope(caller: Caller) -> None:
    with pytest.raises(Forbidden):
        await listed(without(caller, Scope.CRM_READ))
