"""No value that anybody sends to the gateway is a fault of ours: strange ones for every argument,
one at a time.
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
)

from graphql_api.schema import graphql_schema
from tests.contract.domains import BY_ADDRESS
from tests.contract.graphql_replay import Offered
from tests.contract.replay import undone
from tests.contract.test_graphql_mutations import FIELDS, OFFERED, gateway
from tests.contract.test_hostile_values import Caller, bodies
from tests.support import hostile

pytestmark = pytest.mark.slow

__all__ = ["gateway"]

LEVELS = 2
"""How far an input of a query is looked into."""


async def faults(
    gateway: httpx.AsyncClient, caller: Caller, query: str, variables: Any
) -> list[str]:
    """The names of the values in the PLACE of these variables that are answered as a fault of ours."""
    found = []
    for name, value in hostile.SHAPES.items():
        await caller.enter_again()
        async with undone():
            raw = hostile.with_value({"query": query, "variables": variables}, value)
            headers = {**caller.credential, "Content-Type": "application/json"}
            answer = await gateway.post("/graphql", content=raw, headers=headers)
        assert "RATE_LIMITED" not in answer.text, "the limits hide what this test asks for"
        if answer.status_code >= 500 or "INTERNAL" in answer.text:
            found.append(name)
    return found


# Mutations, and queries of what REST takes with POST ----------------------------------------------


@pytest.mark.parametrize("address", list(FIELDS))
async def test_no_value_of_an_input_is_a_fault_of_ours(
    gateway: httpx.AsyncClient, address: str
) -> None:
    endpoint, offered = BY_ADDRESS[address], OFFERED[address]
    caller = Caller(endpoint)
    await caller.enter()
    world = caller.world
    ids, query = await world.fill(endpoint.ids), await world.fill(endpoint.query)
    wrong = {}

    for body in await bodies(world, endpoint):
        variables = said(offered, offered.variables(endpoint, ids, query, body))
        if found := await faults(gateway, caller, offered.document, variables):
            wrong[hostile.where(variables)] = found
    for name in offered.how.ids:
        variables = said(
            offered, offered.variables(endpoint, ids, query, await world.fill(endpoint.body or {}))
        )
        if found := await faults(
            gateway, caller, offered.document, {**variables, name: hostile.PLACE}
        ):
            wrong[name] = found

    assert not wrong


def said(offered: Offered, variables: Any) -> Any:
    """The variables, with the key that a keyed field needs."""
    return {**variables, **({"idempotencyKey": "hostile-1"} if offered.how.keyed else {})}


# Queries ------------------------------------------------------------------------------------------

Path = tuple[tuple[str, GraphQLField], ...]


def _edges() -> Iterator[Path]:
    """Every field with arguments, by the fields that lead to it: those of the root, and those of
    their records.
    """
    assert graphql_schema.query_type is not None
    seen = set()
    for name, field in graphql_schema.query_type.fields.items():
        path: Path = ((name, field),)
        if field.args:
            yield path
        for inner in _records(path):
            key = (_record_of(inner[-2][1]), inner[-1][0])
            if key not in seen:
                seen.add(key)
                yield inner


def _records(path: Path) -> Iterator[Path]:
    type = get_named_type(path[-1][1].type)
    if not isinstance(type, GraphQLObjectType):
        return
    for name, field in type.fields.items():
        if name in ("nodes", "node", "edges"):
            yield from _records((*path, (name, field)))
        elif field.args and not is_leaf_type(get_named_type(field.type)):
            yield (*path, (name, field))


def _record_of(field: GraphQLField) -> str:
    return get_named_type(field.type).name


def _of(type: Any, value: Any) -> Any:
    """Something that the type takes, for what must be given."""
    if value is not None:
        return value
    match get_named_type(type).name:
        case "Int" | "BigInt" | "Float":
            return 1
        case "DateTime":
            return "2026-01-01T00:00:00Z"
        case "Date":
            return "2026-01-01"
    return "x"


def _places(type: Any, levels: int) -> Iterator[Any]:
    """Values of the type with the PLACE somewhere inside."""
    yield hostile.PLACE
    if isinstance(type, GraphQLNonNull):
        type = type.of_type
    if isinstance(type, GraphQLList):
        yield [hostile.PLACE]
        type = type.of_type.of_type if isinstance(type.of_type, GraphQLNonNull) else type.of_type
    if isinstance(type, GraphQLInputObjectType) and levels:
        needed = {
            name: _of(one.type, None)
            for name, one in type.fields.items()
            if isinstance(one.type, GraphQLNonNull)
        }
        for name, one in type.fields.items():
            for inner in _places(one.type, levels - 1):
                yield {**needed, name: inner}


def _calls(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(document, variables with the PLACE) for every argument of the last field."""
    arguments = path[-1][1].args
    for name, argument in arguments.items():
        others = {
            other: one
            for other, one in arguments.items()
            if isinstance(one.type, GraphQLNonNull) and other != name
        }
        given = {other: _of(one.type, None) for other, one in others.items()}
        for value in _places(argument.type, LEVELS):
            yield _document(path, {name: argument, **others}), {**given, name: value}


def _document(path: Path, arguments: dict[str, GraphQLArgument]) -> str:
    """Asks for the last field with these variables, and for those before it with what they must
    have.
    """
    declared = ", ".join(f"${name}: {argument.type}" for name, argument in arguments.items())
    text = "{ __typename }" if not is_leaf_type(get_named_type(path[-1][1].type)) else ""
    for place, (name, field) in reversed(list(enumerate(path))):
        if place == len(path) - 1:
            given = ", ".join(f"{one}: ${one}" for one in arguments)
        else:
            needed = {
                one: it for one, it in field.args.items() if isinstance(it.type, GraphQLNonNull)
            }
            given = ", ".join(
                f"{one}: {json.dumps(_of(it.type, None))}" for one, it in needed.items()
            )
        text = f"{name}{f'({given})' if given else ''} {text}"
        text = f"{{ {text} }}"
    return f"query ({declared}) {text}"


@pytest.mark.parametrize(
    "path", list(_edges()), ids=lambda path: ".".join(name for name, _ in path)
)
async def test_no_argument_of_a_query_is_a_fault_of_ours(
    gateway: httpx.AsyncClient, path: Path
) -> None:
    caller = Caller(BY_ADDRESS["POST /v2/lists"])
    await caller.enter()
    wrong = {}

    for document, variables in _calls(path):
        if found := await faults(gateway, caller, document, variables):
            wrong[hostile.where(variables)] = found

    assert not wrong
