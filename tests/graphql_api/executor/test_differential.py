"""A compiled selection answers what graphql-core answers: the same data, the same errors, in
the same places.
"""

from functools import cache
from random import Random
from typing import Any

import pytest
from graphql import ExecutionResult, GraphQLObjectType, parse, validate
from graphql.execution import Executor

from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, PageParts, Selection
from graphql_api import resolvers
from graphql_api.context import Context
from graphql_api.executor import RecordExecutor, compiled_selection
from graphql_api.schema import graphql_schema
from tests.graphql_api.executor.made_up import FLAGS, Query, Records

pytestmark = pytest.mark.usefixtures("servers")  # an executor reads the settings

WHOLE = range(60)
"""Queries over records as core makes them."""
BROKEN = range(1_000, 1_060)
"""Queries over records in which something is wrong here and there."""


class GraphQLCore(RecordExecutor):
    """graphql-core's executor without the compiled selection."""

    execute_fields = Executor.execute_fields


@cache
def query_of(seed: int) -> str:
    """The first query of a seed that is valid: what is put together blindly may ask one name for
    different things.
    """
    random = Random(seed)
    return next(
        text for text in iter(lambda: Query(graphql_schema, random).text, None) if _is_valid(text)
    )


def _is_valid(text: str) -> bool:
    return not validate(graphql_schema, parse(text))


async def executed(executor: type[RecordExecutor], query: str) -> ExecutionResult:
    built = executor.build(
        graphql_schema,
        parse(query),
        context_value=Context(Caller("org_1", "test", frozenset(Scope))),
        raw_variable_values=FLAGS,
    )
    assert isinstance(built, Executor), built
    result = built.execute_operation()
    return result if isinstance(result, ExecutionResult) else await result  # type: ignore[misc]


def told(result: ExecutionResult) -> Any:
    """Data in its order, and errors without an order: fields of a list are completed side by side."""
    errors = sorted(
        (str(error.path), error.message, str(error.locations)) for error in result.errors or ()
    )
    return repr(result.data), errors


@pytest.fixture
def answer_with(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the reads of core answer made-up records."""

    def prepare(seed: int, *, broken: float) -> None:
        records = Records(graphql_schema, Random(seed), broken=broken)

        async def read_page(
            _: Caller, entity: Entity, arguments: Arguments, selection: Selection, parts: PageParts
        ) -> Any:
            return records.page(graphql_schema.get_type(entity.name), selection, parts)

        async def read_record(_: Caller, entity: Entity, id: str, selection: Selection) -> Any:
            return records.record(graphql_schema.get_type(entity.name), selection)

        async def read_all(_: Caller, edge: Any, selection: Selection) -> Any:
            return [
                records.record(graphql_schema.get_type(edge.entity.name), selection)
                for _ in range(2)
            ]

        monkeypatch.setattr(resolvers, "read_page", read_page)
        monkeypatch.setattr(resolvers, "read_record", read_record)
        monkeypatch.setattr(resolvers, "read_all", read_all)

    return prepare


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("seed", [*WHOLE, *BROKEN])
async def test_the_compiled_selection_answers_as_graphql_core(seed: int, answer_with: Any) -> None:
    query = query_of(seed)
    broken = 0.05 if seed in BROKEN else 0.0
    answer_with(seed, broken=broken)
    stock = await executed(GraphQLCore, query)
    answer_with(seed, broken=broken)
    assert told(await executed(RecordExecutor, query)) == told(stock), query


async def test_the_queries_meet_what_they_are_made_for(answer_with: Any) -> None:
    texts = [query_of(seed) for seed in [*WHOLE, *BROKEN]]
    for needle in (
        "other1:",
        "fragment Part0",
        "... on SmsMessage",
        "@include(if: $no)",
        "@skip(if: true)",
        "edges",
    ):
        assert any(needle in text for text in texts), needle
    failed = 0
    for seed in BROKEN:
        answer_with(seed, broken=0.05)
        failed += bool((await executed(GraphQLCore, query_of(seed))).errors)
    assert failed > len(BROKEN) / 3


@pytest.mark.usefixtures("compiled")
async def test_a_page_of_whole_records_takes_the_compiled_selection(
    answer_with: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(1, broken=0.0)
    calls = []
    stock = Executor.execute_fields

    def noted(executor: Executor[Any], parent_type: GraphQLObjectType, *rest: Any) -> Any:
        calls.append(parent_type.name)
        return stock(executor, parent_type, *rest)

    monkeypatch.setattr(Executor, "execute_fields", noted)
    query = "{ contacts(first: 3) { nodes { id company { nome } messages(first: 2) { nodes { id } } } } }"
    assert not (await executed(RecordExecutor, query)).errors
    assert calls == ["Query"]


@pytest.mark.usefixtures("compiled")
async def test_arguments_choose_among_the_children_of_one_function(answer_with: Any) -> None:
    compiled_selection.forget_compiled_selections()
    one, other = (
        f"{{ contacts(first: 1) {{ nodes {{ a: messages(first: {n}) {{ nodes {{ id }} }} "
        f"b: messages(first: {n + 1}) {{ totalCount }} }} }} }}"
        for n in (1, 2)
    )
    for query in (one, other):
        answer_with(3, broken=0.0)
        stock = await executed(GraphQLCore, query)
        answer_with(3, broken=0.0)
        assert told(await executed(RecordExecutor, query)) == told(stock)
