"""Several callers at once: the database decides who was first, and nothing is lost."""

import asyncio
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import pytest

from core import companies, privacy
from core.companies import Company
from core.companies.errors import CnpjTaken, SensitivePropertyInUse
from core.contacts import Contact
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.security.caller import Caller
from tests.factories.cards import some_deals
from tests.factories.companies import a_cnpj, a_company, changed_company, defined, imported, masked
from tests.factories.contacts import a_contact, changed_contact
from tests.factories.organizations import a_caller
from tests.support.races import outside, somebody_waits

pytestmark = pytest.mark.usefixtures("real_commits")

MANY = 20


@pytest.fixture
async def caller(real_commits: None) -> Caller:
    """Commits for real."""
    return await a_caller()


async def all_of(*work: Awaitable[Any]) -> list[Any]:
    """What each answered, or raised."""
    return list(await asyncio.gather(*work, return_exceptions=True))


def kinds(answers: list[Any]) -> Counter[str]:
    return Counter(type(answer).__name__ for answer in answers)


@pytest.mark.parametrize("letters", [False, True])
async def test_one_of_twenty_registrations_of_a_cnpj_succeeds(
    caller: Caller, letters: bool
) -> None:
    cnpj = a_cnpj(letters=letters)
    forms = [cnpj, masked(cnpj)] * (MANY // 2)

    answers = await all_of(
        *(a_company(caller, nome=f"Loja {n}", cnpj=form) for n, form in enumerate(forms))
    )

    assert kinds(answers) == {"dict": 1, CnpjTaken.__name__: MANY - 1}
    (winner,) = [answer for answer in answers if isinstance(answer, dict)]
    assert [(company.id, company.name) for company in await Company.all()] == [
        (winner["id"], winner["nome"])
    ]


async def test_one_of_many_changes_gets_the_cnpj(caller: Caller) -> None:
    made = [await a_company(caller) for _ in range(8)]
    cnpj = a_cnpj()

    answers = await all_of(*(changed_company(caller, one["id"], cnpj=cnpj) for one in made))

    assert kinds(answers) == {"dict": 1, CnpjTaken.__name__: 7}
    assert await Company.filter(cnpj=cnpj).count() == 1


async def test_an_import_and_registrations_of_its_cnpjs_make_each_once(caller: Caller) -> None:
    cnpjs = [a_cnpj() for _ in range(10)]
    lines = [{"nome": f"Loja {n}", "cnpj": cnpj} for n, cnpj in enumerate(cnpjs)]

    answers = await all_of(
        imported(caller, *lines),
        *(a_company(caller, nome="Outra", cnpj=cnpj) for cnpj in cnpjs),
        imported(caller, *lines[::-1]),
    )

    assert set(kinds(answers)) <= {"dict", CnpjTaken.__name__}
    for done in (answers[0], answers[-1]):
        assert (done["criadas"] + done["atualizadas"], done["erros"]) == (10, [])
    assert sorted([company.cnpj or "" for company in await Company.all()]) == sorted(cnpjs)


async def test_the_same_names_imported_twice_at_once_are_made_once(caller: Caller) -> None:
    lines = [{"nome": f"Loja {n}"} for n in range(20)]

    answers = await all_of(*(imported(caller, *lines) for _ in range(4)))

    assert sum(answer["criadas"] for answer in answers) == await Company.all().count() == 20
    assert sum(answer["atualizadas"] for answer in answers) == 60


async def test_changes_at_once_lose_nothing(caller: Caller) -> None:
    made = await a_company(caller)

    answers = await all_of(
        changed_company(caller, made["id"], nome="Lua"),
        changed_company(caller, made["id"], segmento="B"),
        changed_company(caller, made["id"], endereco="Rua A"),
        changed_company(caller, made["id"], atributos={"x": 1}),
    )

    assert kinds(answers) == {"dict": 4}
    after = await companies.get_company(caller, made["id"])
    assert (after["nome"], after["segmento"], after["endereco"], after["atributos"]) == (
        "Lua",
        "B",
        "Rua A",
        {"x": 1},
    )


async def test_nobody_is_linked_to_a_company_that_is_being_deleted(caller: Caller) -> None:
    made, person, deals = await a_company(caller), await a_contact(caller), await some_deals(caller)

    async with transaction():
        await companies.delete_company(caller, made["id"])
        joining = outside(changed_contact(caller, person["id"], companyId=made["id"]))
        selling = outside(deals.card(companyId=made["id"]))
        await somebody_waits()

    for answer in await all_of(joining, selling):
        assert isinstance(answer, ValidationFailed)
    assert await Contact.filter(company_id__isnull=False).count() == 0


async def test_a_deletion_waits_for_who_joins_the_company_and_lets_them_go(caller: Caller) -> None:
    made = await a_company(caller)

    async with transaction():
        await a_contact(caller, companyId=made["id"], papelNaEmpresa="decisor")
        deleting = outside(companies.delete_company(caller, made["id"]))
        await somebody_waits()
    await deleting

    assert await Contact.filter(company_id__isnull=True, company_role__isnull=True).count() == 1


async def test_a_change_of_a_company_that_is_being_deleted_finds_none(caller: Caller) -> None:
    made = await a_company(caller)

    async with transaction():
        await companies.delete_company(caller, made["id"])
        changing = outside(changed_company(caller, made["id"], nome="Lua"))
        await somebody_waits()

    with pytest.raises(NotFound):
        await changing
    assert await Company.all().count() == 0


async def test_a_company_is_deleted_while_its_main_contact_who_works_there_is_erased(
    caller: Caller,
) -> None:
    for _ in range(10):
        made = await a_company(caller)
        person = await a_contact(caller, companyId=made["id"])
        await changed_company(caller, made["id"], contatoPrincipalId=person["id"])

        answers = await all_of(
            companies.delete_company(caller, made["id"]),
            privacy.erase_contact(caller, person["id"]),
        )

        assert answers == [None, None]
    assert await Company.all().count() == await Contact.all().count() == 0


async def test_no_value_comes_in_under_a_sensitive_key_that_leaves(caller: Caller) -> None:
    await defined(caller, {"key": "cpf", "type": "string"})

    async with transaction():
        await a_company(caller, atributos={"cpf": "1"})
        leaving = outside(defined(caller))
        await somebody_waits()

    with pytest.raises(SensitivePropertyInUse):
        await leaving


async def test_definitions_replaced_at_once_are_those_of_one_of_the_calls(caller: Caller) -> None:
    sets = [[{"key": f"k{n}", "type": "string"}, {"key": "a", "type": "number"}] for n in range(6)]

    answers = await all_of(*(defined(caller, *one) for one in sets))

    assert kinds(answers) == {"dict": 6}
    assert await companies.list_definitions(caller) in answers
