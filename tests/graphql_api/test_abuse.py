"""Documents made to hurt: values that would be said back, work that nobody would pay for, memory
that would not end.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from graphql import get_introspection_query

from core.foundation.errors import BadRequest
from core.foundation.security.caller import Caller, Scope
from graphql_api import answer, cost, documents
from graphql_api.documents import read_document
from graphql_api.executor import compiled_selection
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.support.graphql import ask, bare, data_of, refused

SECRET = "secret5511987650005"
NUMBER = "5511987650005"


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller("test")


@pytest.fixture
def own_memory() -> Iterator[None]:
    documents.forget_documents()
    yield
    documents.forget_documents()


@pytest.mark.parametrize(
    "query",
    [
        f'{{ contact(id: "a" "{SECRET}") {{ id }} }}',
        f'{{ """{SECRET}""" }}',
        f'query "{SECRET}" {{ me {{ env }} }}',
        f"{{ contact({NUMBER}: 1) {{ id }} }}",
        f"{{ contact({NUMBER}.5: 1) {{ id }} }}",
        f'{{ contact(id: "a") {{ id }} }} {SECRET}',
        f'{{ contact(id: "\\u{{{NUMBER}}}") {{ id }} }}',
        f'{{ contact(id: "{SECRET}\\x") {{ id }} }}',
        f"{{ contacts(first: {NUMBER}) {{ totalCount }} }}",
        f'{{ contacts(first: "{SECRET}") {{ totalCount }} }}',
        f"{{ contacts(first: 1, orderBy: {SECRET}) {{ totalCount }} }}",
        f'{{ contacts(first: 1, filter: "{SECRET}") {{ totalCount }} }}',
        f'{{ contacts(first: 1, filter: {{updatedSince: {{a: "{SECRET}"}}}}) {{ totalCount }} }}',
        f'query($n: Int = "{SECRET}") {{ contacts(first: $n) {{ totalCount }} }}',
        f'{{ contacts(first: 1, after: "{SECRET}") {{ totalCount }} }}',
        f'{{ messageStats(timezone: "{SECRET}") {{ totals {{ sent }} }} }}',
        f'mutation {{ createContact(input: {{phone: "{SECRET}"}}) {{ id }} }}',
    ],
)
async def test_no_refusal_says_a_value_back(caller: Caller, query: str) -> None:
    content = await ask(caller, query)
    assert content["errors"]
    assert NUMBER not in json.dumps(content)


async def test_the_name_of_an_operation_is_not_said_back(caller: Caller) -> None:
    given = await answered(caller, {"query": "query A { me { env } }", "operationName": SECRET})
    assert given["errors"][0]["message"] == "Unknown operation."


async def answered(caller: Caller, body: dict[str, object]) -> dict[str, Any]:
    return (await answer(caller, json.dumps(body).encode())).content


@pytest.mark.parametrize(
    "query",
    [
        "{ contacts(first: %s) { totalCount } }",
        'mutation { createWebhook(input: {url: "", events: [], retry: {maxAttempts: %s}}) { reveal { secret } } }',
    ],
)
async def test_a_number_of_thousands_of_digits_is_a_fault_of_the_client(
    caller: Caller, query: str
) -> None:
    codes = {
        error["extensions"]["code"]
        for error in (await ask(caller, query % ("1" * 5_000)))["errors"]
    }
    assert codes == {"BAD_REQUEST"}


@pytest.mark.parametrize(
    "query",
    [
        "{ __schema { a: types { name } types { name } } }",
        '{ __type(name: "Contact") { a: fields { name } } }',
        "{ __schema { ...T } } fragment T on __Schema { types { ...U } } fragment U on __Type { a: name }",
    ],
)
def test_introspection_takes_no_aliases(query: str) -> None:
    assert [error.message for error in read_document(query).errors] == [
        "Introspection takes no aliases."
    ]


async def test_introspection_costs_what_statistics_cost(caller: Caller) -> None:
    cost.forget_costs()
    spent = (await answered(caller, {"query": get_introspection_query()}))["extensions"]["cost"]
    assert (spent["requested"], spent["actual"]) == (500, 500)


@pytest.mark.parametrize(
    "selection", ["company { nome }", "... { company { nome } }", "lists { id name }"]
)
def test_comparing_fields_of_one_name_ends_early(selection: str) -> None:
    def messages(times: int) -> list[str]:
        text = f"{{ contacts(first: 1) {{ nodes {{ {selection * times} }} }} }}"
        return [error.message for error in read_document(text).errors]

    assert messages(40) == []
    assert messages(280) == ["Validation aborted."]


def test_a_name_is_guessed_in_documents_of_some_length_only() -> None:
    (error,) = read_document("{ me { envv } }").errors
    assert "Did you mean 'env'" in error.message
    assert not any(
        "Did you mean" in error.message
        for error in read_document("{ me { envv } }" + " " * 4_000).errors
    )


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{ contacts(first: 1) { name } }", " Did you mean 'nodes { name }'?"),
        ("{ messages(first: 1) { status } }", " Did you mean 'nodes { status }'?"),
        ("{ contacts(first: 1) { zzzzzz } }", ""),
        ("{ me { zzzzzz } }", ""),
    ],
)
def test_a_field_of_records_that_is_asked_of_their_page_is_told_where_it_stands(
    document: str, said: str
) -> None:
    (error,) = read_document(document).errors

    assert error.message.partition(".")[2] == said
    assert error.locations


def test_a_document_of_more_than_50_000_characters_is_refused() -> None:
    text = "{ me { env } } #"
    assert read_document(text + "x" * (50_000 - len(text))).errors == []
    (error,) = read_document(text + "x" * (50_001 - len(text))).errors
    assert (
        error.message == "The document has more than 50,000 characters; send values as variables."
    )


@pytest.mark.usefixtures("compiled", "own_memory")
async def test_what_is_remembered_of_documents_has_a_ceiling(caller: Caller) -> None:
    await data_of(caller, "{ contacts(first: 1) { nodes { id } } }")
    assert compiled_selection.compiled_selections_held() > 0
    first = read_document("{ me { env } }")
    assert read_document("{ me { env } }") is first
    for number in range(25):
        read_document(f"{{ me {{ env }} }} # {number} {'x' * 40_000}")
    assert read_document("{ me { env } }") is not first
    assert compiled_selection.compiled_selections_held() == 0


@pytest.mark.parametrize(
    ("field", "filter", "where", "code"),
    [
        ("contacts", {"q": "a" * 1_001}, "/filter/q", "too_long"),
        ("contacts", {"tags": {"any": ["a"] * 1_001}}, "/filter/tags/any", "too_many"),
        ("contacts", {"tags": {"none": ["a", "a" * 1_001]}}, "/filter/tags/none/1", "too_long"),
        ("contacts", {"segmentId": "\x00"}, "/filter/segmentId", "nul"),
        ("contacts", {"segmentId": "a" * 1_001}, "/filter/segmentId", "too_long"),
        ("messages", {"status": ["SENT"] * 1_001}, "/filter/status", "too_many"),
        ("companies", {"q": "a" * 1_001}, "/filter/q", "too_long"),
        ("cards", {"q": "a" * 1_001}, "/filter/q", "too_long"),
    ],
)
async def test_a_filter_holds_what_rows_can_be_held_against(
    caller: Caller, field: str, filter: dict[str, Any], where: str, code: str
) -> None:
    types = {"contacts": "Contact", "messages": "Message", "companies": "Company", "cards": "Card"}
    query = f"query($filter: {types[field]}Filter) {{ {field}(first: 1, filter: $filter) {{ totalCount }} }}"
    (fault,) = (await refused(caller, query, filter=filter))["extensions"]["errors"]
    assert (fault["pointer"], fault["code"]) == (where, code)


async def test_a_timeline_without_any_kind_that_may_be_seen_has_a_total(caller: Caller) -> None:
    contact = await a_contact(caller)
    timeline = "timeline(first: 1, filter: {kinds: [MESSAGE]}) { totalCount nodes { at } }"
    query = f"query($id: ID!) {{ contact(id: $id) {{ {timeline} }} }}"
    data = await data_of(bare(caller, Scope.CONTACTS_READ), query, id=contact["id"])
    assert data["contact"]["timeline"] == {"totalCount": 0, "nodes": []}


async def test_the_messages_of_a_company_say_where_contacts_work(caller: Caller) -> None:
    company = await a_company(caller)
    query = "query($id: ID!) { company(id: $id) { messages(first: 1) { totalCount } } }"
    error = await refused(bare(caller, Scope.CRM_READ, Scope.SMS_READ), query, id=company["id"])
    assert error["extensions"]["meta"] == {"escopoExigido": "contacts:read"}
    whole = bare(caller, Scope.CRM_READ, Scope.SMS_READ, Scope.CONTACTS_READ)
    assert (await data_of(whole, query, id=company["id"]))["company"]["messages"] == {
        "totalCount": 0
    }


# Values within values -----------------------------------------------------------------------------

STORED_JSON = (
    'mutation ($value: JSON) { createFlow(input: {name: "f", json: $value}) { __typename } }'
)


@pytest.mark.parametrize("variable", ["value", "nobodyAskedFor"])
@pytest.mark.parametrize("depth", [100, 500, 900])
async def test_variables_that_are_nested_too_deep_are_refused(
    caller: Caller, variable: str, depth: int
) -> None:
    nested = "[" * depth + "]" * depth
    raw = json.dumps({"query": STORED_JSON, "variables": {variable: 0}}).replace(
        f'"{variable}": 0', f'"{variable}": {nested}'
    )

    with pytest.raises(BadRequest, match="nested deeper than 100 levels"):
        await answer(caller, raw.encode())


@pytest.mark.parametrize("depth", [500, 5_000])
async def test_literals_that_are_nested_too_deep_are_refused(caller: Caller, depth: int) -> None:
    value = "[" * depth + "]" * depth

    error = await refused(
        caller, STORED_JSON.replace("$value: JSON", "$a: JSON").replace("$value}", f"{value}}}")
    )

    assert error["extensions"]["code"] != "INTERNAL"
