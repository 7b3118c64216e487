"""Changing contacts: only what is sent, and only where it differs."""

from typing import Any

import pytest

from core.contacts import Contact
from core.contacts.attributes import MAX_ATTRIBUTES
from core.contacts.errors import (
    ExternalIdTaken,
    NoSuchCompany,
    PhoneCannotChange,
    TooManyAfterMerge,
)
from core.contacts.inputs import MAX_TAGS
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from tests.core.contacts.conftest import a_company_id, strangers, without_personal_data
from tests.factories.contacts import a_contact, changed_contact, read_contact
from tests.factories.organizations import a_caller

FULL: dict[str, Any] = {
    "phone": "+5511987654321",
    "name": "Ana",
    "email": "ana@example.com",
    "avatarUrl": "https://example.com/ana.png",
    "externalId": "crm-1",
    "externalIds": {"integration_a": "a-1"},
    "cpf": "52998224725",
    "cnpj": "12ABC34501DE35",
    "birthDate": "1990-12-31",
    "tags": ["vip", "novo"],
    "attributes": {"cidade": "Recife", "pedidos": 3},
    "debtorGroups": [{"id": "g1", "company": "Banco", "phones": []}],
}


async def test_what_is_left_out_stays(caller: Caller) -> None:
    before = await a_contact(caller, **FULL)

    after = await changed_contact(caller, before["id"], name="Ana Lima")

    assert after == {**before, "name": "Ana Lima", "updatedAt": after["updatedAt"]}
    assert after["updatedAt"] > before["updatedAt"]
    assert (await read_contact(caller, before["id"])).items() >= after.items()


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("name", "name"),
        ("email", "email"),
        ("avatarUrl", "avatarUrl"),
        ("externalId", "externalId"),
        ("cpf", "cpfCipher"),
        ("cnpj", "cnpjCipher"),
        ("birthDate", "birthDateCipher"),
    ],
)
async def test_null_clears(caller: Caller, field: str, shown: str) -> None:
    before = await a_contact(caller, **FULL)

    after = await changed_contact(caller, before["id"], **{field: None})

    assert set(before) - set(after) == {shown}


@pytest.mark.parametrize(
    "field",
    [
        "phone",
        "tags",
        "attributes",
        "externalIds",
        "debtorGroups",
        "optIn",
        "source",
        "tagsAdicionar",
    ],
)
async def test_other_fields_cannot_be_null(caller: Caller, field: str) -> None:
    before = await a_contact(caller, **FULL)

    with pytest.raises(ValidationFailed) as refused:
        await changed_contact(caller, before["id"], **{field: None})

    assert [error.where for error in refused.value.errors] == [f"/{field}"]


async def test_a_phone_never_changes_unless_it_is_the_same_one(caller: Caller) -> None:
    made = await a_contact(caller, phone="+5511987654321")

    with pytest.raises(PhoneCannotChange) as refused:
        await changed_contact(caller, made["id"], phone="+5511987654322", name="Ana")

    assert refused.value.meta == {"code": "TELEFONE_IMUTAVEL"}
    assert await read_contact(caller, made["id"]) == made
    for same in ("+5511987654321", "(11) 98765-4321", "+551187654321"):
        assert await changed_contact(caller, made["id"], phone=same) == made


async def test_two_contacts_do_not_exchange_their_phones(caller: Caller) -> None:
    one, other = await a_contact(caller), await a_contact(caller)

    for made, phone in ((one, other["phone"]), (other, one["phone"])):
        with pytest.raises(PhoneCannotChange):
            await changed_contact(caller, made["id"], phone=phone)


async def test_tags_and_attributes_replace_what_is_stored(caller: Caller) -> None:
    made = await a_contact(caller, **FULL)

    after = await changed_contact(caller, made["id"], tags=["b", "a", "b"], attributes={"uf": "PE"})

    assert (after["tags"], after["attributes"]) == (["b", "a"], {"uf": "PE"})


async def test_tags_and_attributes_are_changed_in_part(caller: Caller) -> None:
    made = await a_contact(caller, **FULL)

    after = await changed_contact(
        caller,
        made["id"],
        tagsAdicionar=["vip", "renovou"],
        tagsRemover=["novo", "never there"],
        attributesMesclar={"pedidos": 4, "uf": "PE"},
    )

    assert after["tags"] == ["vip", "renovou"]
    assert after["attributes"] == {"cidade": "Recife", "pedidos": 4, "uf": "PE"}


async def test_a_merge_does_not_make_more_than_a_contact_can_have(caller: Caller) -> None:
    made = await a_contact(
        caller,
        tags=[f"t{n}" for n in range(MAX_TAGS)],
        attributes={f"a{n}": n for n in range(MAX_ATTRIBUTES)},
    )

    for field, more in (("tagsAdicionar", ["one more"]), ("attributesMesclar", {"one more": 1})):
        with pytest.raises(TooManyAfterMerge) as refused:
            await changed_contact(caller, made["id"], **{field: more})
        assert refused.value.errors[0].where == f"/{field}"

    assert await read_contact(caller, made["id"]) == made


@pytest.mark.parametrize(
    "same",
    [
        {},
        {"name": "Ana", "tags": ["vip", "novo"], "attributes": {"pedidos": 3, "cidade": "Recife"}},
        {"cpf": "529.982.247-25", "cnpj": "12.abc.345/01de-35", "birthDate": "1990-12-31"},
        {"tagsAdicionar": ["vip"], "tagsRemover": ["x"], "attributesMesclar": {"pedidos": 3}},
        {
            "externalIds": {"integration_a": "a-1"},
            "debtorGroups": FULL["debtorGroups"],
            "source": "manual",
        },
        {"optIn": {"status": "unknown"}, "companyId": None, "papelNaEmpresa": None},
    ],
)
async def test_the_same_again_changes_nothing_not_even_the_time(
    caller: Caller, same: dict[str, Any]
) -> None:
    before = await a_contact(caller, **FULL)

    assert await changed_contact(caller, before["id"], **same) == before


async def test_true_is_another_value_than_one(caller: Caller) -> None:
    made = await a_contact(caller, attributes={"a": 1})

    assert (await changed_contact(caller, made["id"], attributes={"a": True}))["attributes"][
        "a"
    ] is True


async def test_an_external_id_of_another_contact_is_refused_and_nothing_changes(
    caller: Caller,
) -> None:
    await a_contact(caller, externalId="crm-1")
    made = await a_contact(caller, externalId="crm-2")

    with pytest.raises(ExternalIdTaken):
        await changed_contact(caller, made["id"], externalId="crm-1", name="Ana")

    assert await Contact.filter(external_id="crm-2", name=None).count() == 1


@pytest.mark.parametrize(
    "id", ["nonsense", "", "cnt_", "cnt_" + "x" * 40, new_id("cnt"), new_id("emp")]
)
async def test_an_unknown_contact_is_not_there(caller: Caller, id: str) -> None:
    with pytest.raises(NotFound):
        await changed_contact(caller, id, name="Ana")


async def test_a_contact_of_others_is_not_there(caller: Caller) -> None:
    for stranger in await strangers(caller):
        theirs = await a_contact(stranger, name="Bia")

        with pytest.raises(NotFound):
            await changed_contact(caller, theirs["id"], name="Ana")
        with pytest.raises(NotFound):
            await read_contact(caller, theirs["id"])

        assert await read_contact(stranger, theirs["id"]) == theirs


async def test_without_the_scope_nothing_changes(caller: Caller) -> None:
    made = await a_contact(caller)
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await changed_contact(reader, made["id"], name="Ana")

    assert "name" not in await read_contact(caller, made["id"])


async def test_the_answer_is_masked_without_the_scope(caller: Caller) -> None:
    made = await a_contact(caller, phone="+5511987654321")

    assert (await changed_contact(without_personal_data(caller), made["id"], name="A"))[
        "phone"
    ] == "+5511*****4321"


@pytest.mark.parametrize(
    "field", ["whatsappProfileName", "id", "createdAt", "lastInteractionAt", "documentos"]
)
async def test_what_the_service_keeps_is_not_writable(caller: Caller, field: str) -> None:
    made = await a_contact(caller)

    with pytest.raises(ValidationFailed) as refused:
        await changed_contact(caller, made["id"], **{field: "x"})

    assert refused.value.errors[0].code == "unknown_field"


async def test_who_leaves_a_company_loses_the_role(caller: Caller) -> None:
    company_id = await a_company_id(caller)
    made = await a_contact(caller, companyId=company_id, papelNaEmpresa="financeiro")

    after = await changed_contact(caller, made["id"], companyId=None)

    assert {"companyId", "papelNaEmpresa"}.isdisjoint(after)


async def test_who_changes_the_company_keeps_the_role(caller: Caller) -> None:
    made = await a_contact(
        caller, companyId=await a_company_id(caller), papelNaEmpresa="financeiro"
    )
    other = await a_company_id(caller)

    after = await changed_contact(caller, made["id"], companyId=other)

    assert (after["companyId"], after["papelNaEmpresa"]) == (other, "financeiro")
    assert await changed_contact(caller, made["id"], companyId=other) == after


async def test_a_company_that_is_not_there_is_refused_and_nothing_changes(caller: Caller) -> None:
    company_id = await a_company_id(caller)
    made = await a_contact(caller, companyId=company_id)

    for wrong in [
        new_id("emp"),
        *[await a_company_id(stranger) for stranger in await strangers(caller)],
    ]:
        with pytest.raises(NoSuchCompany) as refused:
            await changed_contact(caller, made["id"], companyId=wrong, name="Ana")
        assert refused.value.meta == {"code": "VINCULO_INVALIDO"}

    assert await read_contact(caller, made["id"]) == made


async def test_a_role_needs_no_company(caller: Caller) -> None:
    made = await a_contact(caller)
    assert (await changed_contact(caller, made["id"], papelNaEmpresa="outro"))[
        "papelNaEmpresa"
    ] == "outro"
    assert (await changed_contact(caller, made["id"], companyId=None))["papelNaEmpresa"] == "outro"
    assert "papelNaEmpresa" not in await changed_contact(caller, made["id"], papelNaEmpresa=None)

    employed = await a_contact(caller, companyId=await a_company_id(caller))
    after = await changed_contact(caller, employed["id"], companyId=None, papelNaEmpresa="outro")
    assert (after.get("companyId"), after["papelNaEmpresa"]) == (None, "outro")


async def test_an_unknown_contact_comes_before_an_unknown_company(caller: Caller) -> None:
    with pytest.raises(NotFound):
        await changed_contact(caller, new_id("cnt"), companyId=new_id("emp"))
