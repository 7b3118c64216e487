"""Seeded companies are what the registry knows, and their people know where they work."""

from collections import Counter
from typing import Any

import pytest

from cli.seed.brazil.companies import cnpj_number
from cli.seed.brazil.documents import cnpj_of_root
from core import contacts
from core.contacts import NewContact
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")

PEOPLE, COMPANIES = 600, 60


async def the_companies(caller: Caller) -> list[Any]:
    return await db.fetch(
        "SELECT * FROM companies WHERE organization_id = $1 AND env = $2 ORDER BY created_at, id",
        caller.organization_id,
        caller.env,
    )


async def the_people(caller: Caller) -> list[Any]:
    return await db.fetch(
        "SELECT * FROM contacts WHERE organization_id = $1 AND company_id IS NOT NULL ORDER BY id",
        caller.organization_id,
    )


@pytest.fixture(scope="module")
async def caller(slate_of_the_file: None) -> Caller:
    """Of an organization with seeded contacts and companies."""
    caller = await a_caller()
    answer = await a_seed(caller, contacts=PEOPLE, companies=COMPANIES)
    assert answer["companies"] == COMPANIES
    assert answer["companyContacts"] == len(await the_people(caller))
    return caller


def test_check_digits_are_those_of_the_registry() -> None:
    assert cnpj_of_root("00000000") == "00000000000191"  # a bank
    assert cnpj_of_root("33000167") == "33000167000101"  # an oil company


def test_letters_count_as_the_registry_counts_them() -> None:
    # Its own example is 12.ABC.345/01DE-35; this one has the order number of every head office.
    values = [ord(character) - 48 for character in "12ABC3450001"]
    first = (
        sum(
            value * weight
            for value, weight in zip(values, (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2), strict=True)
        )
        % 11
    )
    assert int(cnpj_of_root("12ABC345")[12]) == (0 if first < 2 else 11 - first)


def test_no_two_cnpjs_are_the_same() -> None:
    drawn = [
        cnpj_number(number, letters=letters) for number in range(5_000) for letters in (False, True)
    ]

    assert len(set(drawn)) == len(drawn)
    assert all(len(one) == 14 and one.isalnum() and one == one.upper() for one in drawn)


async def test_cnpjs_are_of_digits_and_with_letters_and_some_have_none(caller: Caller) -> None:
    cnpjs = [row["cnpj"] for row in await the_companies(caller)]

    assert None in cnpjs
    known = [cnpj for cnpj in cnpjs if cnpj]
    assert all(cnpj == cnpj_of_root(cnpj[:8]) for cnpj in known)
    assert Counter(cnpj.isdecimal() for cnpj in known).keys() == {True, False}


async def test_people_work_at_one_company_in_a_role(caller: Caller) -> None:
    companies = {row["id"]: row for row in await the_companies(caller)}
    people = await the_people(caller)

    assert 0.2 * PEOPLE < len(people) < 0.6 * PEOPLE
    assert {row["company_role"] for row in people} == {"decisor", "financeiro", "operacao", "outro"}
    for person in people:
        company = companies[person["company_id"]]
        assert person["created_at"] >= company["created_at"]
        assert person["updated_at"] >= company["created_at"]


async def test_the_main_contact_works_there(caller: Caller) -> None:
    people = {row["id"]: row for row in await the_people(caller)}
    companies = await the_companies(caller)

    assert any(row["main_contact_id"] is None for row in companies)
    for company in companies:
        own = [id for id, person in people.items() if person["company_id"] == company["id"]]
        assert (company["main_contact_id"] in own) if own else company["main_contact_id"] is None


async def test_companies_are_of_many_kinds_and_somebodys(caller: Caller) -> None:
    rows = await the_companies(caller)

    assert len({row["name"] for row in rows}) > 0.8 * COMPANIES
    assert len({row["sector"] for row in rows}) > 8
    assert {row["owner_id"] for row in rows} == {None, caller.account_id}
    assert {row["created_by_id"] for row in rows} == {caller.account_id}
    assert all(row["created_at"] == row["updated_at"] < AS_OF for row in rows)


async def test_a_cnpj_that_another_company_has_is_left_out() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_seed(other, companies=10)
    taken = next(row["cnpj"] for row in await the_companies(other) if row["cnpj"])
    await db.execute(
        "INSERT INTO companies (id, organization_id, env, name, cnpj, attributes, created_by_id, created_at, "
        "updated_at) VALUES ('emp_of_somebody', $1, $2, 'Was here', $3, '{}', 'acc_x', $4, $4)",
        caller.organization_id,
        caller.env,
        taken,
        AS_OF,
    )

    assert (await a_seed(caller, companies=10))["companies"] == 10

    assert [row["name"] for row in await the_companies(caller) if row["cnpj"] == taken] == [
        "Was here"
    ]


async def test_who_works_elsewhere_stays_there() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_seed(other, contacts=30, companies=3)
    moved = (await the_people(other))[0]
    await a_seed(caller, contacts=30)
    await db.execute(
        "UPDATE contacts SET company_id = 'emp_of_another' WHERE organization_id = $1 AND phone = $2",
        caller.organization_id,
        moved["phone"],
    )

    await a_seed(caller, companies=3)

    theirs = [
        row["company_id"] for row in await the_people(caller) if row["phone"] == moved["phone"]
    ]
    assert theirs == ["emp_of_another"]
    assert len(await the_people(caller)) == len(await the_people(other))


async def test_contacts_of_others_are_left_alone() -> None:
    caller = await a_caller()
    created = await contacts.create_contact(caller, NewContact(phone="+5511987650000"))

    await a_seed(caller, contacts=20, companies=20)

    assert created["id"] not in {row["id"] for row in await the_people(caller)}
