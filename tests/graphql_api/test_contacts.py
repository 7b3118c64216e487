"""Contacts over GraphQL: the same values, masks and refusals as the reads that REST answers with."""

from dataclasses import replace
from typing import Any

import orjson
import pytest

from core import contacts, privacy
from core.audit import AuditEntry
from core.foundation.errors import BadRequest
from core.foundation.security.caller import Scope
from graphql_api import answer
from tests.factories.contacts import a_contact, a_denial_of_email
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, ask, bare, data_of, every_field, refused

pytestmark = pytest.mark.usefixtures("clean_slate")

WHOLE = {
    "name": "Maria",
    "email": "maria@example.com",
    "externalId": "crm-1",
    "tags": ["vip"],
    "attributes": {"city": "Recife", "score": 7},
    "cpf": "52998224725",
    "birthDate": "1990-05-17",
}
ONE = "query($id: ID!) { contact(id: $id) { id phone phoneHash name tags attributes optIn { status } createdAt } }"
PAGE = """query($first: Int!, $after: String, $filter: ContactFilter) {
  contacts(first: $first, after: $after, filter: $filter) {
    nodes { id phone } pageInfo { hasNextPage endCursor } totalCount warnings } }"""


async def test_every_field_of_a_contact_is_the_one_of_rest() -> None:
    owner = await a_caller("test")
    stored = await a_contact(owner, **WHOLE)
    await a_denial_of_email(owner, "maria@example.com", "email")
    for caller in (
        bare(owner, Scope.CONTACTS_READ),
        bare(owner, Scope.CONTACTS_READ, Scope.PII_FULL),
    ):
        record = await contacts.get_contact(caller, stored["id"])
        fields = f"{every_field('Contact')} optOuts {{ canal em motivo origem }}"
        shown = await data_of(caller, f'{{ contact(id: "{stored["id"]}") {{ {fields} }} }}')
        assert as_rest("Contact", shown["contact"]) == record
        assert record["optOuts"]


async def test_another_organizations_contact_is_null() -> None:
    stored = await a_contact(await a_caller("test"))
    assert await ask(await a_caller("test"), ONE, id=stored["id"]) == {"data": {"contact": None}}


async def test_pages_follow_each_other_and_count_what_rest_counts() -> None:
    caller = await a_caller("test")
    expected = {(await a_contact(caller, phone=f"+551198765432{last}"))["id"] for last in range(3)}
    first = (await ask(caller, PAGE, first=2))["data"]["contacts"]
    rest = (await ask(caller, PAGE, first=2, after=first["pageInfo"]["endCursor"]))["data"][
        "contacts"
    ]
    assert {node["id"] for page in (first, rest) for node in page["nodes"]} == expected
    assert [page["pageInfo"]["hasNextPage"] for page in (first, rest)] == [True, False]
    assert first["totalCount"] == rest["totalCount"] == 3


@pytest.mark.parametrize(
    "parts",
    [
        "edges { node { id } }",
        "edges { cursor }",
        "edges { cursor node { id } } nodes { id }",
        "pageInfo { startCursor endCursor hasNextPage hasPreviousPage } totalCount",
        "totalCount warnings",
        "warnings",
    ],
)
async def test_any_parts_of_a_page_can_be_asked_for(parts: str) -> None:
    caller = await a_caller("test")
    ids = [(await a_contact(caller))["id"] for _ in range(3)]
    found = (await data_of(caller, f"{{ contacts(first: 2) {{ {parts} }} }}"))["contacts"]
    assert found.get("totalCount", 3) == 3
    assert [edge["node"]["id"] for edge in found.get("edges", []) if "node" in edge] in (
        [],
        ids[:0:-1],
    )
    assert all(edge.get("cursor", "c") for edge in found.get("edges", []))


async def test_a_page_from_the_end_is_in_the_order_of_the_list() -> None:
    caller = await a_caller("test")
    ids = [(await a_contact(caller))["id"] for _ in range(5)][::-1]
    query = """query($last: Int, $before: String) { contacts(last: $last, before: $before) {
      nodes { id } pageInfo { startCursor hasPreviousPage hasNextPage } } }"""
    end = (await data_of(caller, query, last=2))["contacts"]
    rest = (await data_of(caller, query, last=3, before=end["pageInfo"]["startCursor"]))["contacts"]
    assert [node["id"] for page in (rest, end) for node in page["nodes"]] == ids
    assert (end["pageInfo"]["hasPreviousPage"], end["pageInfo"]["hasNextPage"]) == (True, False)
    assert (rest["pageInfo"]["hasPreviousPage"], rest["pageInfo"]["hasNextPage"]) == (False, True)


async def test_a_missing_scope_nulls_its_field_and_not_the_page() -> None:
    caller = bare(await a_caller("test"))
    content = await ask(caller, "{ me { organization { id } } contacts(first: 1) { totalCount } }")
    assert content["data"] == {
        "me": {"organization": {"id": caller.organization_id}},
        "contacts": None,
    }
    (error,) = content["errors"]
    assert error["extensions"]["code"] == "FORBIDDEN"
    assert error["extensions"]["meta"] == {"escopoExigido": "contacts:read"}


@pytest.mark.parametrize("asked", [{"first": 0}, {"first": 101}, {"first": 1, "after": "nonsense"}])
async def test_a_page_that_cannot_be_is_refused(asked: dict[str, Any]) -> None:
    error = await refused(await a_caller("test"), PAGE, **asked)
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize(
    "query",
    [
        "{",
        "{ nothing }",
        "{" + " ".join(f"a{number}: me {{ env }}" for number in range(16)) + "}",
        "{ me { " + "env " * 2_001 + "} }",
    ],
)
async def test_a_document_that_is_wrong_or_too_large_is_not_run(query: str) -> None:
    given = await answer(await a_caller("test"), orjson.dumps({"query": query}))
    assert not given.ran
    assert {error["extensions"]["code"] for error in given.content["errors"]} == {"BAD_REQUEST"}


async def test_a_refused_variable_is_not_said_back() -> None:
    error = await refused(await a_caller("test"), PAGE, first="+5511987654321")
    assert "98765" not in error["message"]


async def test_a_literal_that_is_no_moment_is_refused_at_its_place() -> None:
    query = '{ contacts(first: 1, filter: {createdAt: {from: "+5511987654321"}}) { totalCount } }'
    error = await refused(await a_caller("test"), query)
    assert (
        error["message"]
        == "DateTime: expected a date-time as ISO 8601, such as 2026-11-21T12:00:00Z"
    )
    assert error["locations"] == [{"line": 1, "column": 49}]


async def test_a_single_fault_is_said_in_the_message_itself() -> None:
    caller = await a_caller("test")
    for query, message in (
        ("{ contacts { totalCount } }", "first: Ask for first or last, 1 to 100"),
        (
            "{ contacts(first: 1, last: 1) { totalCount } }",
            "last: Ask for first or last, not for both",
        ),
    ):
        assert (await refused(caller, query))["message"] == message
    error = await refused(bare(caller, Scope.AUDIT_READ), "{ contacts(first: 1) { totalCount } }")
    assert (
        error["message"] == "The credential lacks the scope contacts:read, which this field needs."
    )


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b'{"query": 1}', b'{"query": "{me{env}}", "variables": []}']
)
async def test_a_body_that_is_no_operation_is_refused(raw: bytes) -> None:
    with pytest.raises(BadRequest):
        await answer(await a_caller("test"), raw)


async def test_a_persons_data_is_the_document_of_rest_as_a_file_and_audited() -> None:
    key = await a_caller("test", scopes=frozenset(Scope))
    session = replace(key, kind="session", credential_id="ses_of_the_test")
    stored = await a_contact(key, **WHOLE)
    asked = "query($id: ID!) { personalData(id: $id) { filename mediaType content } }"

    file = (await data_of(session, asked, id=stored["id"]))["personalData"]
    told = orjson.loads(file.pop("content"))
    assert file == {"filename": f"{stored['id']}.json", "mediaType": "application/json"}
    assert await AuditEntry.filter(action="contact.data_exported").count() == 1
    exported = orjson.loads(orjson.dumps(await privacy.export_contact(session, stored["id"])))
    assert told == exported | {"geradoEm": told["geradoEm"]}
    assert told["documentos"]["cpf"] == WHOLE["cpf"]

    for other in (key, bare(session, Scope.CONTACTS_READ)):
        refusal = (await refused(other, asked, id=stored["id"]))["extensions"]
        assert refusal["meta"] == {"escopoExigido": "contacts:pii"}
    stranger = replace(session, organization_id=(await a_caller("test")).organization_id)
    assert (await refused(stranger, asked, id=stored["id"]))["extensions"]["code"] == "NOT_FOUND"
