"""The queries that our pages show are answered by compiled selections, not by graphql-core."""

from random import Random
from typing import Any

import pytest
from graphql import ExecutionResult

from core.foundation import settings
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, PageParts, Selection
from graphql_api import mutations, resolvers
from graphql_api.context import Context
from graphql_api.documents import read_document
from graphql_api.executor import RecordExecutor
from graphql_api.executor.compiled_selection import (
    compiled_selections_held,
    forget_compiled_selections,
)
from graphql_api.pipelines import schema as pipelines
from graphql_api.schema import graphql_schema
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.graphql_api.executor.documented import documented, variables_of
from tests.graphql_api.executor.made_up import Records
from tests.support.counted import counted
from tests.support.graphql import ask, bare, data_of

DOCUMENTED = list(dict(documented()).items())

OWN_RESOLVERS = (
    "me { organization",
    "me { wallet",
    "sendSms(",
    "query WalletPage",
    "query TeamRules",
)
"""Parts of `me`, the rules, and the message of a send are looked up apart."""

REFUSED = (
    'createContact(input: {phone: "12"})',
    "journeyForecast(id: $id)",
    "numberHealth(id",
    "personalData(id",
)
"""Shown for their errors, about a record that is not made up here, or in a session only."""


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller("test")


@pytest.fixture
def made_up_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the query compiler answer whole records of every kind."""
    records = Records(graphql_schema, Random(7), broken=0.0)

    async def read_page(
        _: Caller, entity: Entity, arguments: Arguments, selection: Selection, parts: PageParts
    ) -> Any:
        return records.page(graphql_schema.get_type(entity.name), selection, parts)

    async def read_record(_: Caller, entity: Entity, id: str, selection: Selection) -> Any:
        return records.record(graphql_schema.get_type(entity.name), selection)

    for module in (resolvers, pipelines):
        monkeypatch.setattr(module, "read_page", read_page)
    for module in (resolvers, mutations):
        monkeypatch.setattr(module, "read_record", read_record)


def test_the_pages_show_queries() -> None:
    assert len(DOCUMENTED) >= 25


@pytest.mark.parametrize(("document", "shown"), DOCUMENTED)
@pytest.mark.usefixtures("compiled", "made_up_records")
async def test_a_documented_query_is_compiled(
    caller: Caller,
    document: str,
    shown: dict[str, Any] | None,
) -> None:
    node = read_document(document).node
    assert node is not None
    executor = RecordExecutor.build(
        graphql_schema,
        node,
        context_value=Context(caller),
        raw_variable_values=variables_of(document) | (shown or {}),
    )
    assert isinstance(executor, RecordExecutor), executor
    result = executor.execute_operation()
    if not isinstance(result, ExecutionResult):
        result = await result  # type: ignore[misc]

    assert (result.errors is not None) == any(refused in document for refused in REFUSED)
    looked_up = any(field in document for field in OWN_RESOLVERS)
    assert executor.fall_backs == ({"resolver"} if looked_up else set())


# The switch and the metric -------------------------------------------------------------------------

CONTACTS = "{ contacts(first: 1) { nodes { id lastMessage { id } } } }"


@pytest.mark.usefixtures("compiled")
async def test_a_refusal_in_the_place_of_a_value_is_counted_once(caller: Caller) -> None:
    for _ in range(3):
        await a_contact(caller)
    with counted("svc_graphql_fall_backs") as risen:
        content = await ask(
            bare(caller, Scope.CONTACTS_READ), CONTACTS.replace("first: 1", "first: 3")
        )

    assert len(content["errors"]) == 3
    assert risen == {("svc_graphql_fall_backs_total", "refusal"): 1}


@pytest.mark.usefixtures("compiled")
async def test_an_answer_that_is_compiled_is_not_counted(caller: Caller) -> None:
    await a_contact(caller)
    with counted("svc_graphql_fall_backs") as risen:
        await data_of(caller, CONTACTS)

    assert risen == {}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": None}, "null"),
        ({"id": ValueError("refused")}, "refusal"),
        ({"id": 12}, "value"),
        ({"id": "x", "tags": "text"}, "value"),
    ],
)
async def test_the_reason_is_told(
    caller: Caller, record: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read_record(*_: Any) -> Any:
        return {"tags": [], **record}

    monkeypatch.setattr(resolvers, "read_record", read_record)
    with counted("svc_graphql_fall_backs") as risen:
        await ask(caller, '{ contact(id: "cnt_1") { id tags } }')

    assert risen == {("svc_graphql_fall_backs_total", reason): 1}


async def test_the_setting_turns_the_compiler_off(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    contact = await a_contact(caller)
    monkeypatch.setenv("SVC_GRAPHQL_COMPILED", "off")
    settings.current.cache_clear()
    forget_compiled_selections()
    try:
        with counted("svc_graphql_fall_backs") as risen:
            data = await data_of(caller, CONTACTS)
    finally:
        monkeypatch.undo()
        settings.current.cache_clear()

    assert data == {"contacts": {"nodes": [{"id": contact["id"], "lastMessage": None}]}}
    assert (compiled_selections_held(), risen) == (0, {})
