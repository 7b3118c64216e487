"""How a mutation reads its input, runs its use case, and shows what it changed."""

from typing import Any

import pytest

from core import contacts
from core.contacts.models import Contact
from core.foundation.security.caller import Scope
from tests.factories.cards import some_deals
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, ask, bare, data_of, every_field, refused

pytestmark = pytest.mark.usefixtures("clean_slate")

CREATE = "mutation($input: CreateContactInput!) { createContact(input: $input) { id phone } }"
UPDATE = "mutation($id: ID!, $input: UpdateContactInput!) { updateContact(id: $id, input: $input) { name tags } }"
PHONE = "+5511987654321"

WRITE = Scope.CONTACTS_WRITE


# What is shown ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scopes", [(), (Scope.CONTACTS_READ,), (Scope.CONTACTS_READ, Scope.PII_FULL)]
)
async def test_a_contact_is_answered_with_the_values_and_masks_of_rest(
    scopes: tuple[Scope, ...],
) -> None:
    caller = bare(await a_caller("test"), WRITE, *scopes)
    fields = every_field("Contact").replace("documentos { cpf cnpj nascimento }", "")
    new = {
        "phone": PHONE,
        "tags": ["vip"],
        "optIn": {"status": "GRANTED", "source": "site"},
        "source": "API",
    }
    document = (
        f"mutation($input: CreateContactInput!) {{ createContact(input: $input) {{ {fields} }} }}"
    )

    shown = (await data_of(caller, document, input=new))["createContact"]

    reader = bare(caller, Scope.CONTACTS_READ, *scopes)
    record: Any = await contacts.get_contact(reader, shown["id"])
    assert record.pop("optOuts") == [], "read by a selection of its own"
    assert as_rest("Contact", shown) == record
    assert (shown["phone"] == PHONE) == (Scope.PII_FULL in scopes)


async def test_what_hangs_on_the_changed_record_is_read_with_it() -> None:
    caller = await a_caller("test")
    company = await a_company(caller, nome="Padaria")
    document = """mutation($input: CreateContactInput!) { createContact(input: $input) {
        company { nome contatos(first: 5) { totalCount nodes { phone } } } lastMessage { id } } }"""

    shown = await data_of(caller, document, input={"phone": PHONE, "companyId": company["id"]})

    contatos = {"totalCount": 1, "nodes": [{"phone": PHONE}]}
    assert shown == {
        "createContact": {"company": {"nome": "Padaria", "contatos": contatos}, "lastMessage": None}
    }


async def test_a_missing_scope_nulls_that_relation_and_the_use_case_is_done() -> None:
    owner = await a_caller("test")
    company = await a_company(owner, nome="Padaria")
    document = """mutation($input: CreateContactInput!) { createContact(input: $input) {
        id documentos { cpf } company { nome } } }"""
    new = {"phone": PHONE, "companyId": company["id"], "cpf": "52998224725"}

    content = await ask(bare(owner, WRITE), document, input=new)

    shown = content["data"]["createContact"]
    assert (shown["documentos"], shown["company"]) == (None, None)
    assert {tuple(error["path"]): error["extensions"]["meta"] for error in content["errors"]} == {
        ("createContact", "documentos"): {"escopoExigido": "contacts:read"},
        ("createContact", "company"): {"escopoExigido": "crm:read"},
    }
    assert (await contacts.get_contact(owner, shown["id"]))["companyId"] == company["id"]


async def test_whoever_may_only_write_learns_no_figures_of_a_stage() -> None:
    owner = await a_caller("test")
    deals = await some_deals(owner)
    document = """mutation($pipeline: ID!, $id: ID!) {
        updateStage(pipelineId: $pipeline, id: $id, input: {cor: "azul"}) { cor quantidade } }"""
    which = {"pipeline": deals.id, "id": deals.stages["Novo"]}

    error = await refused(bare(owner, Scope.CRM_WRITE), document, **which)
    assert error["extensions"]["meta"] == {"escopoExigido": "crm:read"}
    assert (await data_of(owner, document, **which))["updateStage"] == {
        "cor": "azul",
        "quantidade": 0,
    }


async def test_a_deletion_answers_the_id() -> None:
    caller = await a_caller("test")
    id = (await a_contact(caller))["id"]
    document = "mutation($id: ID!) { deleteContact(id: $id) { id } }"

    assert await data_of(caller, document, id=id) == {"deleteContact": {"id": id}}
    assert (await refused(caller, document, id=id))["extensions"]["code"] == "NOT_FOUND"


# What is read -------------------------------------------------------------------------------------


async def test_what_is_left_out_stays_and_null_clears() -> None:
    caller = await a_caller("test")
    id = (await a_contact(caller, name="Maria", tags=["vip"]))["id"]

    shown = await data_of(caller, UPDATE, id=id, input={"tagsAdicionar": ["novo"]})
    assert shown == {"updateContact": {"name": "Maria", "tags": ["vip", "novo"]}}
    shown = await data_of(caller, UPDATE, id=id, input={"name": None})
    assert shown == {"updateContact": {"name": None, "tags": ["vip", "novo"]}}


async def test_a_variable_without_a_value_is_left_out() -> None:
    caller = await a_caller("test")
    id = (await a_contact(caller, name="Maria"))["id"]
    document = """mutation($id: ID!, $name: String, $email: String) {
        updateContact(id: $id, input: {name: $name, email: $email}) { name email } }"""

    shown = await data_of(caller, document, id=id, email="ana@example.com")

    assert shown == {"updateContact": {"name": "Maria", "email": "ana@example.com"}}


async def test_a_variable_without_a_value_is_left_out_of_a_json_too() -> None:
    caller = await a_caller("test")
    query = """
        mutation ($level: Int, $shop: String) {
          createContact(input: {phone: "+5511987650001", attributes: {level: $level, shop: $shop}}) { attributes }
        }"""

    assert await data_of(caller, query, shop="centro") == {
        "createContact": {"attributes": {"shop": "centro"}}
    }

    query = """
        query ($first: String) {
          segmentPreview(input: {filterTree: {kind: LEAF, filter: {field: "tag", operator: IN, value: [$first]}}}) {
            count
          }
        }"""
    assert (await refused(caller, query))["extensions"]["code"] == "VALIDATION_ERROR"


async def test_a_null_that_clears_nothing_is_refused_as_over_rest() -> None:
    caller = await a_caller("test")
    id = (await a_contact(caller, tags=["vip"]))["id"]

    error = await refused(caller, UPDATE, id=id, input={"tags": None, "name": "Ana"})

    assert error["extensions"]["code"] == "VALIDATION_ERROR"
    assert [(one["pointer"], one["code"]) for one in error["extensions"]["errors"]] == [
        ("/tags", "wrong_type")
    ]
    stored = await contacts.get_contact(caller, id)
    assert (stored["tags"], stored.get("name")) == (["vip"], None)


async def test_every_wrong_field_is_named_at_once() -> None:
    new = {
        "phone": "nobody",
        "email": "nothing",
        "tags": [""],
        "optIn": {"status": "GRANTED", "source": "x" * 121},
    }

    error = await refused(await a_caller("test"), CREATE, input=new)

    assert {one["pointer"] for one in error["extensions"]["errors"]} == {
        "/phone",
        "/email",
        "/tags/0",
        "/optIn/source",
    }
    assert await Contact.all().count() == 0


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("1e999", "not_finite"),
        ("1" + "0" * 40, "too_large"),
        ('"a\\u0000b"', "nul"),
        ("[[1]]", "wrong_type"),
    ],
)
async def test_values_inside_json_are_refused_by_the_rules_of_rest(value: str, code: str) -> None:
    document = f'mutation {{ createContact(input: {{phone: "{PHONE}", attributes: {{x: {value}}}}}) {{ id }} }}'

    error = await refused(await a_caller("test"), document)

    assert error["extensions"]["code"] == "VALIDATION_ERROR"
    assert code in {one["code"] for one in error["extensions"]["errors"]}, error
    assert await Contact.all().count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        '{name: "SEGREDO"}',
        '{phone: "SEGREDO", source: SEGREDO}',
        '{phone: "SEGREDO", source: "SEGREDO"}',
        '{phone: "SEGREDO", nope: 1}',
        '"SEGREDO"',
        '{phone: "x", optIn: {status: GRANTED, at: "SEGREDO"}}',
        '{phone: "x", debtorGroups: [{id: "a", company: "b", phones: [], amountCents: "SEGREDO"}]}',
        '{phone: {a: "SEGREDO"}}',
    ],
)
async def test_what_the_schema_refuses_is_not_said_back(wrong: str) -> None:
    caller = await a_caller("test")
    content = await ask(caller, f"mutation {{ createContact(input: {wrong}) {{ id }} }}")
    assert {error["extensions"]["code"] for error in content["errors"]} == {"BAD_REQUEST"}
    assert "SEGREDO" not in str(content)
    assert await Contact.all().count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "SEGREDO"},
        {"phone": "x", "source": "SEGREDO"},
        {"phone": "SEGREDO", "nope": 1},
        "SEGREDO",
        {"phone": "x", "optIn": "SEGREDO"},
        {"phone": "x", "optIn": {"at": "SEGREDO"}},
        {"phone": ["SEGREDO"]},
        {"phone": "x", "source": "it's 'SEGREDO' does not"},
    ],
)
async def test_what_the_schema_refuses_of_a_variable_is_not_said_back(wrong: Any) -> None:
    content = await ask(await a_caller("test"), CREATE, input=wrong)
    assert {error["extensions"]["code"] for error in content["errors"]} == {"BAD_REQUEST"}
    assert "SEGREDO" not in str(content)


async def test_the_message_of_the_schema_says_what_is_wrong() -> None:
    error = await refused(await a_caller("test"), CREATE, input={"phone": PHONE, "nam": "Ana"})
    assert error["message"] == (
        "Variable '$input' has invalid value: Expected value of type 'CreateContactInput' not to include "
        "unknown field 'nam'. Did you mean 'name'?"
    )


async def test_a_fault_of_the_whole_input_is_said_without_a_place() -> None:
    document = "mutation($input: CreateSegmentInput!) { createSegment(input: $input) { id } }"

    error = await refused(await a_caller("test"), document, input={"name": "VIP"})

    assert error["message"] == "Send filters or filterTree"
    assert error["extensions"]["errors"][0]["pointer"] == ""


# Several in one document --------------------------------------------------------------------------


async def test_mutations_of_a_document_are_done_one_after_the_other() -> None:
    caller = await a_caller("test")
    deals = await some_deals(caller)
    card = await deals.card()
    document = """mutation($id: ID!) {
        a: updateCard(id: $id, input: {titulo: "A", versao: 1}) { versao titulo }
        b: updateCard(id: $id, input: {titulo: "B", versao: 2}) { versao titulo }
        c: updateCard(id: $id, input: {titulo: "C", versao: 2}) { versao titulo }
        d: updateCard(id: $id, input: {titulo: "D", versao: 3}) { versao titulo } }"""

    content = await ask(caller, document, id=card["id"])

    assert content["data"] == {
        "a": {"versao": 2, "titulo": "A"},
        "b": {"versao": 3, "titulo": "B"},
        "c": None,
        "d": {"versao": 4, "titulo": "D"},
    }
    (error,) = content["errors"]
    assert (error["path"], error["extensions"]["code"]) == (["c"], "CONFLICT")
    assert error["extensions"]["meta"]["code"] == "VERSAO_DESATUALIZADA"


# Whose records ------------------------------------------------------------------------------------


async def test_another_organizations_record_and_the_other_environments_are_not_found() -> None:
    owner = await a_caller("test")
    deals = await some_deals(owner)
    card = await deals.card()
    document = 'mutation($id: ID!) { updateCard(id: $id, input: {titulo: "Outro"}) { id } }'

    for stranger in (
        await a_caller("test"),
        await a_caller("live", organization_id=owner.organization_id),
    ):
        assert (await refused(stranger, document, id=card["id"]))["extensions"][
            "code"
        ] == "NOT_FOUND"

    assert await deals.read(card["id"]) == card
