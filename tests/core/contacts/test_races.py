"""Several callers at once: the database decides who was first, and nothing is lost."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from core import contacts
from core.companies.models import Company
from core.contacts import Contact, ContactDenial
from core.contacts.errors import ExternalIdTaken, NoSuchCompany, PhoneAlreadyRegistered
from core.contacts.models import ContactConsent
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from tests.core.contacts.conftest import a_company_id, as_session
from tests.factories.contacts import a_contact, a_denial, a_phone, changed_contact
from tests.factories.organizations import a_caller
from tests.support.races import outside, somebody_waits
from tests.support.sql_tables import rows_of
from tests.support.told import events

pytestmark = pytest.mark.usefixtures("real_commits")

MANY = 8


@pytest.fixture
async def caller(real_commits: None) -> Caller:
    """Commits for real."""
    return await a_caller()


async def all_of(*work: Awaitable[Any]) -> list[Any]:
    """What each answered, or raised."""
    return list(await asyncio.gather(*work, return_exceptions=True))


def kinds(answers: list[Any]) -> dict[str, int]:
    names = [type(answer).__name__ for answer in answers]
    return {name: names.count(name) for name in names}


async def test_one_of_many_creations_of_a_phone_succeeds(caller: Caller) -> None:
    forms = ["+5511987654321", "+551187654321"] * (MANY // 2)

    answers = await all_of(
        *(a_contact(caller, phone=phone, attributes={"x": 1}) for phone in forms)
    )

    assert kinds(answers) == {"dict": 1, PhoneAlreadyRegistered.__name__: MANY - 1}
    assert (
        await Contact.all().count()
        == len(await events(caller.organization_id, "contact.created"))
        == 1
    )


async def test_one_of_many_creations_with_an_external_id_succeeds(caller: Caller) -> None:
    answers = await all_of(*(a_contact(caller, externalId="crm-1") for _ in range(MANY)))

    assert kinds(answers) == {"dict": 1, ExternalIdTaken.__name__: MANY - 1}
    assert await Contact.all().count() == 1


async def test_one_of_many_changes_gets_the_external_id(caller: Caller) -> None:
    made = [await a_contact(caller) for _ in range(MANY)]

    answers = await all_of(
        *(changed_contact(caller, one["id"], externalId="crm-1") for one in made)
    )

    assert kinds(answers) == {"dict": 1, ExternalIdTaken.__name__: MANY - 1}
    assert await Contact.filter(external_id="crm-1").count() == 1


async def test_changes_at_once_lose_nothing(caller: Caller) -> None:
    made = await a_contact(caller)

    answers = await all_of(
        *(
            changed_contact(
                caller, made["id"], tagsAdicionar=[f"t{n}"], attributesMesclar={f"a{n}": n}
            )
            for n in range(MANY)
        ),
        changed_contact(caller, made["id"], name="Ana"),
        changed_contact(caller, made["id"], email="ana@example.com"),
    )

    assert kinds(answers) == {"dict": MANY + 2}
    after = await contacts.get_contact(caller, made["id"])
    assert set(after["tags"]) == {f"t{n}" for n in range(MANY)}
    assert after["attributes"] == {f"a{n}": n for n in range(MANY)}
    assert (after["name"], after["email"]) == ("Ana", "ana@example.com")


async def test_one_of_many_denials_is_a_move(caller: Caller) -> None:
    made = await a_contact(caller, externalId="crm-1", email="ana@example.com")
    wishes: list[dict[str, Any]] = [
        {"contactIds": [made["id"]]},
        {"phones": [made["phone"]]},
        {"externalIds": ["crm-1"]},
        {"emails": ["ana@example.com"]},
    ]

    answers = await all_of(
        *(contacts.opt_out(caller, contacts.OptOut.model_validate(wish)) for wish in wishes),
        changed_contact(caller, made["id"], optIn={"status": "denied"}),
    )

    assert {type(answer) for answer in answers} == {dict}
    assert (
        await ContactConsent.all().count()
        == len(await events(caller.organization_id, "contact.opted_out"))
        == 1
    )


async def test_an_opt_out_waits_for_a_creation_and_finds_its_contact(caller: Caller) -> None:
    phone = a_phone()

    async with transaction():
        await a_contact(caller, phone=phone)
        denying = outside(contacts.opt_out(caller, contacts.OptOut(phones=[phone])))
        await somebody_waits()
    done = await denying

    assert (done["registrados"], done["suprimidosSemContato"]) == (1, 0)
    assert (await Contact.get()).opt_in_status.value == "denied"


async def test_a_creation_waits_for_an_opt_out_and_starts_denied(caller: Caller) -> None:
    phone = a_phone()

    async with transaction():
        await contacts.opt_out(caller, contacts.OptOut(phones=[phone]))
        creating = outside(a_contact(caller, phone=phone))
        await somebody_waits()

    assert (await creating)["optIn"]["status"] == "denied"


async def test_a_denial_and_a_grant_leave_a_contact_that_agrees_with_its_denials(
    caller: Caller,
) -> None:
    made = await a_contact(caller, optIn={"status": "granted"})
    session = as_session(caller)

    for _ in range(5):
        await all_of(
            a_denial(caller, made["phone"]),
            changed_contact(
                session, made["id"], optIn={"status": "granted", "source": "on the phone"}
            ),
            changed_contact(session, made["id"], optIn={"status": "denied"}),
        )
        denied = (await Contact.get()).opt_in_status.value == "denied"
        assert await rows_of(ContactDenial).count() == denied


async def test_many_opt_outs_of_the_same_people_in_other_orders_end(caller: Caller) -> None:
    made = [await a_contact(caller) for _ in range(MANY)]
    phones = [one["phone"] for one in made]

    answers = await all_of(
        *(
            contacts.opt_out(caller, contacts.OptOut(phones=some))
            for some in (phones, phones[::-1], phones[3:] + phones[:3])
        ),
        *(changed_contact(caller, one["id"], name="Ana") for one in made[::-1]),
    )

    assert {type(answer) for answer in answers} == {dict}
    assert sum(answer.get("registrados", 0) for answer in answers) == MANY


async def test_a_company_that_is_deleted_first_takes_no_contact(caller: Caller) -> None:
    company_id = await a_company_id(caller)
    made = await a_contact(caller)

    async with transaction():
        await db.execute("SELECT 1 FROM companies WHERE id = $1 FOR UPDATE", company_id)
        await db.execute("UPDATE contacts SET company_id = NULL WHERE company_id = $1", company_id)
        changing = outside(changed_contact(caller, made["id"], companyId=company_id))
        creating = outside(a_contact(caller, companyId=company_id))
        await somebody_waits()
        await Company.filter(id=company_id).delete()

    for answer in await all_of(changing, creating):
        assert isinstance(answer, NoSuchCompany)
    assert await Contact.filter(company_id__isnull=False).count() == 0


async def test_a_company_is_not_deleted_under_a_contact_that_joins_it(caller: Caller) -> None:
    company_id = await a_company_id(caller)

    async def delete() -> None:
        async with transaction():
            await db.execute("SELECT 1 FROM companies WHERE id = $1 FOR UPDATE", company_id)
            await db.execute(
                "UPDATE contacts SET company_id = NULL WHERE company_id = $1", company_id
            )
            await Company.filter(id=company_id).delete()

    async with transaction():
        await a_contact(caller, companyId=company_id)
        deleting = outside(delete())
        await somebody_waits()
    await deleting

    assert (await Contact.get()).company_id is None


async def test_interactions_of_the_same_people_in_other_orders_end(caller: Caller) -> None:
    phones = [(await a_contact(caller))["phone"] for _ in range(MANY)]
    said = [contacts.Interaction(phone, now()) for phone in phones]

    answers = await all_of(
        *(
            contacts.record_interactions(caller.organization_id, "test", some, at=now())
            for some in (said, said[::-1], said[4:] + said[:4])
        )
    )

    assert [len(answer) for answer in answers] == [MANY] * 3
