"""Importing companies: line by line, good ones even when others fail."""

from typing import Any

import pytest

from core import companies
from core.companies import Company
from core.contacts import Contact
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.organizations import Account, AccountStatus
from tests.core.companies.conftest import a_member, but_times, strangers, without
from tests.factories.companies import (
    a_cnpj,
    a_company,
    defined,
    imported,
    listed,
    masked,
    with_wrong_digits,
)
from tests.factories.contacts import a_contact


def done(created: int = 0, updated: int = 0) -> dict[str, Any]:
    return {"criadas": created, "atualizadas": updated, "erros": []}


def faulty(answer: dict[str, Any]) -> list[int]:
    """The lines that did not enter; each is told once."""
    return [told["linha"] for told in answer["erros"]]


async def stored(caller: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await listed(caller, limit="100"))["items"]
    return found


async def test_lines_create_what_is_new_and_change_what_is_there(caller: Caller) -> None:
    cnpj, other = a_cnpj(), a_cnpj(letters=True)
    known = await a_company(caller, nome="Antiga", cnpj=cnpj, segmento="A", atributos={"x": 1})
    named = await a_company(caller, nome="Oficina", endereco="Rua A")

    answer = await imported(
        caller,
        {"nome": "Nova", "cnpj": masked(other), "atributos": {"y": 2}},
        {"nome": "Antiga SA", "cnpj": masked(cnpj)},
        {"nome": "Oficina", "segmento": "B"},
    )

    assert answer == done(created=1, updated=2)
    by_name = {item["nome"]: item for item in await stored(caller)}
    assert set(by_name) == {"Nova", "Antiga SA", "Oficina"}
    assert but_times(by_name["Antiga SA"]) == {**but_times(known), "nome": "Antiga SA"}
    assert but_times(by_name["Oficina"]) == {**but_times(named), "segmento": "B"}
    new = by_name["Nova"]
    assert (new["cnpj"], new["atributos"], new["createdById"]) == (
        other,
        {"y": 2},
        caller.account_id,
    )


async def test_a_line_changes_only_the_fields_it_brings_and_null_clears_one(caller: Caller) -> None:
    cnpj = a_cnpj()
    made = await a_company(
        caller, cnpj=cnpj, segmento="A", site="https://a.example", atributos={"x": 1}
    )

    await imported(caller, {"nome": made["nome"], "cnpj": cnpj, "site": None})
    (after,) = await stored(caller)
    assert but_times(after) == {
        name: value for name, value in but_times(made).items() if name != "site"
    }

    await imported(caller, {"nome": made["nome"], "cnpj": cnpj, "atributos": {}})
    assert (await stored(caller))[0]["atributos"] == {}


async def test_a_line_without_a_cnpj_leaves_the_one_that_its_company_has(caller: Caller) -> None:
    cnpj = a_cnpj()
    await a_company(caller, nome="Oficina", cnpj=cnpj)

    assert await imported(caller, {"nome": "Oficina", "cnpj": None, "segmento": "B"}) == done(
        updated=1
    )

    (after,) = await stored(caller)
    assert (after["cnpj"], after["segmento"]) == (cnpj, "B")


async def test_a_name_is_known_exactly_with_its_case_and_accents(caller: Caller) -> None:
    await a_company(caller, nome="Água")

    assert await imported(caller, {"nome": "água"}, {"nome": "Agua"}, {"nome": " Água "}) == done(
        created=2, updated=1
    )


async def test_a_line_with_a_cnpj_is_never_known_by_its_name(caller: Caller) -> None:
    await a_company(caller, nome="Oficina")

    assert await imported(caller, {"nome": "Oficina", "cnpj": a_cnpj()}) == done(created=1)
    assert len(await stored(caller)) == 2


async def test_a_name_that_several_have_is_not_guessed(caller: Caller) -> None:
    cnpj = a_cnpj()
    one = await a_company(caller, nome="Oficina", cnpj=cnpj)
    await a_company(caller, nome="Oficina")

    answer = await imported(
        caller,
        {"nome": "Oficina", "segmento": "B"},
        {"nome": "Outra", "cnpj": cnpj},
        {"nome": "Oficina", "segmento": "B"},
    )

    assert (answer["criadas"], answer["atualizadas"], faulty(answer)) == (0, 1, [1, 3])
    assert answer["erros"][0]["mensagem"].startswith("nome: ")
    assert "Oficina" not in str(answer)
    assert [item["nome"] for item in await stored(caller)] == ["Oficina", "Outra"]
    assert (await companies.get_company(caller, one["id"]))["nome"] == "Outra"
    assert not await Company.filter(sector="B").exists()


async def test_lines_count_as_if_the_earlier_ones_were_stored(caller: Caller) -> None:
    cnpj = a_cnpj()
    answer = await imported(
        caller,
        {"nome": "A", "cnpj": cnpj, "segmento": "1"},
        {"nome": "B", "cnpj": masked(cnpj)},
        {"nome": "B", "site": "https://b.example"},
        {"nome": "A"},
        {"nome": "A", "segmento": "2"},
    )

    assert answer == done(created=2, updated=3)
    shown = [
        (item["nome"], item.get("cnpj"), item.get("segmento"), item.get("site"))
        for item in await stored(caller)
    ]
    assert shown == [("A", None, "2", None), ("B", cnpj, "1", "https://b.example")]


async def test_two_new_namesakes_make_a_third_line_ambiguous(caller: Caller) -> None:
    answer = await imported(
        caller,
        {"nome": "A", "cnpj": a_cnpj()},
        {"nome": "A", "cnpj": a_cnpj()},
        {"nome": "A", "segmento": "x"},
    )

    assert (answer["criadas"], faulty(answer)) == (2, [3])


async def test_good_lines_enter_and_the_others_are_told_without_their_values(
    caller: Caller,
) -> None:
    suspended = await a_member(caller, AccountStatus.SUSPENDED)
    strange = (await a_contact((await strangers(caller))[0]))["id"]
    await defined(caller, {"key": "porte", "type": "number"})

    answer = await imported(
        caller,
        {"nome": "Boa 1"},
        {"nome": "Zulmira", "cnpj": with_wrong_digits(a_cnpj()), "site": "Zulmira"},
        {"nome": "Zulmira", "responsavelId": suspended},
        {"nome": "Zulmira", "contatoPrincipalId": strange},
        {"nome": "Zulmira", "atributos": {"porte": "Zulmira"}},
        {"cnpj": a_cnpj()},
        {"nome": "Zulmira", "zulmiras": 1},
        "Zulmira",
        None,
        {"nome": "Boa 2"},
    )

    assert (answer["criadas"], answer["atualizadas"], faulty(answer)) == (
        2,
        0,
        [2, 3, 4, 5, 6, 7, 8, 9],
    )
    assert not [value for value in ("Zulmira", suspended, strange) if value in str(answer)]
    starts = [told["mensagem"].partition(":")[0] for told in answer["erros"]]
    assert starts == [
        "cnpj", "responsavelId", "contatoPrincipalId", "atributos.porte", "nome", "zulmiras", "linha", "linha"
    ]  # fmt: skip
    assert "; site: " in answer["erros"][0]["mensagem"]
    assert [item["nome"] for item in await stored(caller)] == ["Boa 1", "Boa 2"]


async def test_links_are_checked_only_when_they_change(caller: Caller) -> None:
    member, contact = await a_member(caller), (await a_contact(caller))["id"]
    made = await a_company(caller, cnpj=a_cnpj(), responsavelId=member, contatoPrincipalId=contact)
    await Account.filter(id=member).update(status=AccountStatus.SUSPENDED)
    await Contact.filter(id=contact).delete()
    same = {"responsavelId": member, "contatoPrincipalId": contact}

    answer = await imported(
        caller,
        {"nome": "Lua", "cnpj": made["cnpj"], **same},
        {"nome": "Nova", "cnpj": a_cnpj(), **same},
    )

    assert (answer["atualizadas"], faulty(answer)) == (1, [2])
    assert [item["nome"] for item in await stored(caller)] == ["Lua"]


async def test_good_links_are_kept(caller: Caller) -> None:
    member, contact = await a_member(caller), (await a_contact(caller))["id"]

    assert await imported(
        caller, {"nome": "A", "responsavelId": member, "contatoPrincipalId": contact}
    ) == done(1)

    (made,) = await stored(caller)
    assert (made["responsavelId"], made["contatoPrincipalId"]) == (member, contact)


async def test_attributes_are_checked_on_creation_and_when_a_line_brings_them(
    caller: Caller,
) -> None:
    cnpj = a_cnpj()
    await a_company(caller, nome="Antiga", cnpj=cnpj, atributos={"porte": 1})
    await defined(caller, {"key": "porte", "type": "string", "required": True})

    answer = await imported(
        caller,
        {"nome": "Antiga SA", "cnpj": cnpj},
        {"nome": "Antiga SA", "cnpj": cnpj, "atributos": {}},
        {"nome": "Nova"},
        {"nome": "Nova", "atributos": {"porte": "média"}},
    )

    assert (answer["criadas"], answer["atualizadas"], faulty(answer)) == (1, 1, [2, 3])
    assert [(item["nome"], item["atributos"]) for item in await stored(caller)] == [
        ("Antiga SA", {"porte": 1}), ("Nova", {"porte": "média"}),
    ]  # fmt: skip


async def test_a_line_that_failed_is_no_company_for_the_next_ones(caller: Caller) -> None:
    cnpj = a_cnpj()

    answer = await imported(
        caller,
        {"nome": "A", "cnpj": cnpj, "responsavelId": "acc_of_nobody"},
        {"nome": "B", "cnpj": cnpj},
    )

    assert (answer["criadas"], faulty(answer)) == (1, [1])
    assert [item["nome"] for item in await stored(caller)] == ["B"]


async def test_what_is_the_same_already_counts_and_does_not_move_its_time(caller: Caller) -> None:
    made = await a_company(caller, cnpj=a_cnpj(), atributos={"b": 1, "a": 2})
    before = (await Company.get()).updated_at

    assert await imported(
        caller, {"nome": made["nome"], "cnpj": made["cnpj"], "atributos": {"a": 2, "b": 1}}
    ) == done(0, 1)
    assert (await Company.get()).updated_at == before


async def test_companies_of_others_are_neither_found_nor_changed(caller: Caller) -> None:
    cnpj = a_cnpj()
    for stranger in await strangers(caller):
        await a_company(stranger, nome="Deles", cnpj=cnpj)

    assert await imported(caller, {"nome": "Minha", "cnpj": cnpj}, {"nome": "Deles"}) == done(
        created=2
    )
    assert await Company.filter(name="Deles", cnpj=cnpj).count() == 2


async def test_500_lines_enter_and_one_more_is_too_many(caller: Caller) -> None:
    lines = [{"nome": f"Loja {number}", "cnpj": a_cnpj()} for number in range(500)]

    assert await imported(caller, *lines) == done(created=500)
    assert await imported(caller, *lines) == done(updated=500)
    with pytest.raises(ValidationFailed):
        await imported(caller, *lines, {"nome": "Mais uma"})
    assert await Company.all().count() == 500


async def test_nothing_to_import_is_nothing_done(caller: Caller) -> None:
    assert await imported(caller) == done()


async def test_importing_needs_its_scope(caller: Caller) -> None:
    with pytest.raises(Forbidden):
        await imported(without(caller, Scope.CRM_WRITE), {"nome": "A"})

    assert await stored(caller) == []
