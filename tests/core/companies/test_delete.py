"""Deleting a company: what pointed to it stays without it, all or nothing."""

from datetime import timedelta

import pytest

from core import audit, companies, contacts
from core.cards.models import Card
from core.companies import Company
from core.contacts import Contact
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from tests.core.companies.conftest import strangers, without
from tests.factories.cards import some_deals
from tests.factories.companies import a_cnpj, a_company
from tests.factories.contacts import a_contact
from tests.support.told import audited, events


async def test_contacts_and_deals_stay_without_it(caller: Caller) -> None:
    made, other = await a_company(caller), await a_company(caller)
    people = [
        await a_contact(caller, companyId=made["id"], papelNaEmpresa="decisor") for _ in range(2)
    ]
    elsewhere = await a_contact(caller, companyId=other["id"], papelNaEmpresa="outro")
    deals = await some_deals(caller)
    card = await deals.card(companyId=made["id"])
    won = await deals.card(stage="Ganho", companyId=made["id"])
    kept = await deals.card(companyId=other["id"])
    before = now() - timedelta(days=1)
    await Contact.all().update(updated_at=before)
    await Card.all().update(updated_at=before)

    await companies.delete_company(caller, made["id"])

    for person in people:
        assert {"companyId", "papelNaEmpresa"}.isdisjoint(
            await contacts.get_contact(caller, person["id"])
        )
        assert (await Contact.get(id=person["id"])).updated_at > before
    for one in (card, won):
        read = await deals.read(one["id"])
        assert "companyId" not in read
        assert (read["status"], read["versao"]) == (one["status"], one["versao"] + 1)
        assert (await Card.get(id=one["id"])).updated_at > before
    left = await contacts.get_contact(caller, elsewhere["id"])
    assert (left["companyId"], left["papelNaEmpresa"]) == (other["id"], "outro")
    assert (await deals.read(kept["id"]))["companyId"] == other["id"]
    assert (
        (await Contact.get(id=elsewhere["id"])).updated_at
        == (await Card.get(id=kept["id"])).updated_at
        == before
    )
    with pytest.raises(NotFound):
        await companies.get_company(caller, made["id"])
    with pytest.raises(NotFound):
        await companies.delete_company(caller, made["id"])


async def test_the_trail_tells_who_and_how_many_and_nothing_else(caller: Caller) -> None:
    made = await a_company(caller, nome="Zulmira SA", cnpj=a_cnpj(), endereco="Rua Zulmira, 1")
    for _ in range(3):
        await a_contact(caller, companyId=made["id"])
    await (await some_deals(caller)).card(companyId=made["id"])

    await companies.delete_company(caller, made["id"])

    assert await audited(caller.organization_id, "company.") == [
        {
            "env": "test",
            "actor_kind": "key",
            "actor_id": caller.credential_id,
            "action": "company.deleted",
            "subject_id": made["id"],
            "facts": {"contacts": 3, "cards": 1},
            "request_id": caller.request_id,
        }
    ]
    assert await events(caller.organization_id, "company") == []


async def test_a_deletion_that_fails_at_its_end_changes_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await a_company(caller)
    person = await a_contact(caller, companyId=made["id"], papelNaEmpresa="decisor")
    card = await (await some_deals(caller)).card(companyId=made["id"])

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(audit, "write_entry", fail)
    with pytest.raises(RuntimeError):
        await companies.delete_company(caller, made["id"])

    assert await Company.filter(id=made["id"]).exists()
    assert (await Contact.get(id=person["id"])).company_role == "decisor"
    assert (await Card.get(id=card["id"])).company_id == made["id"]


async def test_a_company_of_others_is_not_deleted(caller: Caller) -> None:
    for stranger in await strangers(caller):
        made = await a_company(stranger)
        with pytest.raises(NotFound):
            await companies.delete_company(caller, made["id"])
        assert await Company.filter(id=made["id"]).exists()


async def test_deleting_needs_its_scope(caller: Caller) -> None:
    made = await a_company(caller)

    with pytest.raises(Forbidden):
        await companies.delete_company(without(caller, Scope.CRM_DELETE), made["id"])

    assert await Company.filter(id=made["id"]).exists()
