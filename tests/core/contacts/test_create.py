"""Creating contacts: the phone is who they are."""

from hashlib import sha256
from typing import Any

import pytest

from core.contacts import Contact
from core.contacts.errors import ExternalIdTaken, NoSuchCompany, PhoneAlreadyRegistered
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope
from tests.core.contacts.conftest import a_company_id, strangers, without_personal_data
from tests.factories.contacts import a_contact, a_new_contact, a_phone, read_contact
from tests.factories.organizations import a_caller
from tests.support.told import audited, events

PHONE = "+5511987654321"


async def test_a_phone_is_all_that_a_contact_needs(caller: Caller) -> None:
    made = await a_contact(caller, phone="(11) 98765-4321")

    assert made == {
        "id": made["id"],
        "organizationId": caller.organization_id,
        "phone": PHONE,
        "phoneHash": sha256(f"{caller.organization_id}:{PHONE}".encode()).hexdigest(),
        "attributes": {},
        "tags": [],
        "optIn": {"status": "unknown"},
        "source": "manual",
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    }
    assert is_id("cnt", made["id"])
    assert await read_contact(caller, made["id"]) == made


async def test_everything_that_is_sent_is_kept(caller: Caller) -> None:
    company_id = await a_company_id(caller)
    sent: dict[str, Any] = {
        "name": "Ana Souza",
        "email": "Ana@Example.com",
        "avatarUrl": "https://example.com/ana.png",
        "externalId": "loja:42:ana",
        "externalIds": {"integration_a": "a-1", "integration_d": "d-1"},
        "companyId": company_id,
        "papelNaEmpresa": "decisor",
        "tags": ["vip", "novo"],
        "attributes": {
            "cidade": "São Paulo",
            "pedidos": 3,
            "ativo": True,
            "nada": None,
            "cores": ["azul"],
        },
        "debtorGroups": [
            {
                "id": "g1",
                "company": "Banco",
                "phones": ["+5511912345678"],
                "amountCents": 1050,
                "status": "em_atraso",
                "reference": "contrato 7",
            }
        ],
        "source": "webhook",
    }

    made = await a_contact(caller, **sent)

    assert {name: made[name] for name in sent} == sent
    assert await read_contact(caller, made["id"]) == made


async def test_a_phone_is_registered_once_per_organization_and_environment(caller: Caller) -> None:
    first = await a_contact(caller, phone=PHONE)

    with pytest.raises(PhoneAlreadyRegistered) as refused:
        await a_contact(caller, phone=PHONE, name="Somebody else")

    assert (refused.value.code, refused.value.meta) == (
        "CONFLICT",
        {"code": "TELEFONE_JA_CADASTRADO"},
    )
    assert PHONE not in str(refused.value)
    assert await read_contact(caller, first["id"]) == first
    assert len(await events(caller.organization_id, "contact.created")) == 1
    for stranger in await strangers(caller):
        assert (await a_contact(stranger, phone=PHONE))["phone"] == PHONE


async def test_an_external_id_belongs_to_one_contact_of_an_organization_and_environment(
    caller: Caller,
) -> None:
    await a_contact(caller, externalId="crm-1")

    with pytest.raises(ExternalIdTaken):
        await a_contact(caller, externalId="crm-1")

    assert await Contact.visible_to(caller).count() == 1
    for stranger in await strangers(caller):
        assert (await a_contact(stranger, externalId="crm-1"))["externalId"] == "crm-1"


@pytest.mark.parametrize(
    "id", ["3f2504e0-4f89-11d3-9a0c-0305e82c3301", "a" * 64, "loja:42:ana", "0", "çã"]
)
async def test_external_ids_come_in_every_form(caller: Caller, id: str) -> None:
    assert (await a_contact(caller, externalId=id))["externalId"] == id


async def test_a_number_as_external_id_is_its_text(caller: Caller) -> None:
    await a_contact(caller, externalId=1042)

    with pytest.raises(ExternalIdTaken):
        await a_contact(caller, externalId="1042")


async def test_people_may_share_an_email_and_be_without_external_id(caller: Caller) -> None:
    for _ in range(2):
        await a_contact(caller, email="family@example.com")

    assert await Contact.visible_to(caller).count() == 2


async def test_a_contact_in_no_integration_has_no_external_ids(caller: Caller) -> None:
    assert "externalIds" not in await a_contact(caller, externalIds={})
    assert "externalIds" not in await a_contact(caller, externalIds={"integration_a": None})


async def test_phones_are_masked_without_the_scope(caller: Caller) -> None:
    groups = [{"id": "g1", "company": "Banco", "phones": ["11 91234-5678"]}]

    made = await a_contact(
        without_personal_data(caller), phone=PHONE, email="ana@example.com", debtorGroups=groups
    )

    assert made["phone"] == "+5511*****4321"
    assert made["debtorGroups"][0]["phones"] == ["+5511*****5678"]
    assert made["email"] == "ana@example.com"
    whole = await read_contact(caller, made["id"])
    assert (whole["phone"], whole["debtorGroups"][0]["phones"]) == (PHONE, ["+5511912345678"])


async def test_subscribers_learn_of_it_with_what_is_not_personal(caller: Caller) -> None:
    made = await a_contact(
        caller,
        name="Ana",
        externalId="crm-1",
        tags=["vip"],
        source="api",
        optIn={"status": "granted"},
    )

    (event,) = await events(caller.organization_id, "contact.created")

    assert (event["env"], event["request_id"]) == ("test", "req_of_the_test")
    assert event["data"] == {
        "id": made["id"],
        "env": "test",
        "source": "api",
        "externalId": "crm-1",
        "tags": ["vip"],
        "optIn": {"status": "granted"},
    }


async def test_without_the_scope_nothing_is_created(clean_slate: None) -> None:
    reader = await a_caller(scopes=frozenset({Scope.CONTACTS_READ}))

    with pytest.raises(Forbidden):
        await a_contact(reader)

    assert await Contact.all().count() == 0


async def test_a_company_must_be_one_of_the_same_organization_and_environment(
    caller: Caller,
) -> None:
    for company_id in [
        new_id("emp"),
        "nonsense",
        *[await a_company_id(stranger) for stranger in await strangers(caller)],
    ]:
        with pytest.raises(NoSuchCompany) as refused:
            await a_contact(caller, companyId=company_id)
        assert refused.value.meta == {"code": "VINCULO_INVALIDO"}

    assert await Contact.all().count() == 0


async def test_a_role_needs_no_company(caller: Caller) -> None:
    made = await a_contact(caller, papelNaEmpresa="decisor")

    assert (made["papelNaEmpresa"], "companyId" in made) == ("decisor", False)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("phone", "+5511*****4321", "VALOR_MASCARADO"),
        ("phone", "not a phone", "invalid_phone"),
        ("phone", None, "wrong_type"),
        ("email", "a***@example.com", "VALOR_MASCARADO"),
        ("email", "nobody", "wrong_format"),
        ("name", "  ", "too_short"),
        ("source", "carrier pigeon", "not_allowed"),
        ("papelNaEmpresa", "boss", "not_allowed"),
        ("optIn", {}, "required"),
        ("optIn", {"status": "maybe"}, "not_allowed"),
        ("optIn", {"status": "granted", "at": "1577836800"}, "wrong_format"),
        ("optIn", {"status": "granted", "at": 1577836800}, "wrong_type"),
        ("optIn", {"status": "granted", "at": "2020-02-30T00:00:00Z"}, "wrong_format"),
        ("optIn", {"status": "granted", "at": "0001-01-01T00:00:00+14:00"}, "out_of_range"),
        ("externalIds", {"integration_e": "x"}, "unknown_field"),
        ("externalIds", {"integration_a": 1}, "wrong_type"),
        ("debtorGroups", [{"id": "g", "company": "B"}], "required"),
        (
            "debtorGroups",
            [{"id": "g", "company": "B", "phones": [], "status": "paga"}],
            "not_allowed",
        ),
        (
            "debtorGroups",
            [{"id": "g", "company": "B", "phones": [], "amountCents": -1}],
            "too_small",
        ),
        (
            "debtorGroups",
            [{"id": "g", "company": "B", "phones": [], "amountCents": 1.5}],
            "wrong_type",
        ),
        ("tags", ["vip", 1], "wrong_type"),
        ("whatsappProfileName", "Ana", "unknown_field"),
        ("env", "live", "unknown_field"),
        ("name", "a\x00b", "nul"),
    ],
)
def test_what_is_wrong_is_named_and_not_repeated(field: str, value: Any, code: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        a_new_contact(**{field: value})

    (error,) = refused.value.errors
    assert error.where.startswith(f"/{field}")
    assert error.code == code
    assert refused.value.meta == ({"code": code} if code.isupper() else {})


def test_every_wrong_field_is_named_at_once() -> None:
    with pytest.raises(ValidationFailed) as refused:
        a_new_contact(phone="x", email="x", tags="x", cpf="1")

    assert {error.where for error in refused.value.errors} == {"/phone", "/email", "/tags", "/cpf"}


def test_tags_are_trimmed_and_kept_once_in_their_order() -> None:
    assert a_new_contact(tags=[" b ", "a", "b"]).tags == ["b", "a"]


async def test_foreign_phones_are_contacts_too(caller: Caller) -> None:
    made = await a_contact(caller, phone="+1 415 555 2671")

    assert made["phone"] == "+14155552671"
    assert (await read_contact(without_personal_data(caller), made["id"]))[
        "phone"
    ] == "+141****2671"


async def test_a_creation_leaves_no_consent_entry_when_nothing_was_consented_to(
    caller: Caller,
) -> None:
    await a_contact(caller, phone=a_phone(), optIn={"status": "unknown", "source": "form"})

    assert await audited(caller.organization_id, "contact.") == []
