"""Asking the gateway in tests, and comparing its answers with those of REST."""

from collections.abc import Iterator
from typing import Any

import orjson
from graphql import (
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
)

from core.foundation.security.caller import Caller, Scope
from graphql_api import answer
from graphql_api.lookahead import field_kind_of
from graphql_api.schema import graphql_schema


async def ask(caller: Caller, query: str, **variables: Any) -> dict[str, Any]:
    """The answer without its cost: `{data?, errors?}`."""
    given = await answer(caller, orjson.dumps({"query": query, "variables": variables}))
    return {name: value for name, value in given.content.items() if name != "extensions"}


async def data_of(caller: Caller, query: str, **variables: Any) -> dict[str, Any]:
    """The data of an answer without errors."""
    content = await ask(caller, query, **variables)
    assert "errors" not in content, content["errors"]
    data: dict[str, Any] = content["data"]
    return data


async def refused(caller: Caller, query: str, **variables: Any) -> dict[str, Any]:
    """The one error of an answer."""
    (error,) = (await ask(caller, query, **variables))["errors"]
    entry: dict[str, Any] = error
    return entry


def bare(caller: Caller, *scopes: Scope) -> Caller:
    """The caller with these scopes and no others."""
    return Caller(caller.organization_id, caller.env, frozenset(scopes))


def every_field(type_name: str) -> str:
    """A selection of all that a record itself holds: not what hangs on it."""
    type = graphql_schema.get_type(type_name)
    assert isinstance(type, GraphQLObjectType)
    return " ".join(_fields(type, ()))


TWICE = 2
"""So often a type is selected inside itself, where it may hold itself."""


def _fields(type: GraphQLObjectType, inside: tuple[GraphQLObjectType, ...]) -> Iterator[str]:
    if inside.count(type) >= TWICE:
        return
    for name, field in type.fields.items():
        inner = get_named_type(field.type)
        if field_kind_of(field) is not None or field.args:
            continue
        if is_leaf_type(inner):
            yield name
        elif isinstance(inner, GraphQLObjectType) and (
            fields := " ".join(_fields(inner, (*inside, type)))
        ):
            yield f"{name} {{ {fields} }}"


ONLY_HERE = {"JourneyStep": {"metricas"}}
"""What the gateway alone tells of parts that REST takes back as it gives them."""


def as_rest(type_name: str, shown: Any) -> Any:
    """A record of an answer as REST spells it: enum values in its spelling, without what is null."""
    return _as_rest(graphql_schema.get_type(type_name), shown)


def _as_rest(type: Any, shown: Any) -> Any:
    if isinstance(type, GraphQLNonNull):
        return _as_rest(type.of_type, shown)
    if isinstance(type, GraphQLList):
        return [_as_rest(type.of_type, one) for one in shown]
    if isinstance(type, GraphQLEnumType):
        return str(getattr(type.values[shown].value, "value", type.values[shown].value))
    if isinstance(type, GraphQLObjectType):
        return {
            name: _as_rest(type.fields[name].type, value)
            for name, value in shown.items()
            if name != "__typename"
            and value is not None
            and name not in ONLY_HERE.get(type.name, ())
        }
    return shown
