"""The calls of rows, sent to the gateway: a body is the input of the mutation, but for the names of
enum values.
"""

import itertools
import re
from collections.abc import Mapping
from typing import Any

import httpx
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    get_named_type,
)

from graphql_api.lookahead import field_kind_of
from graphql_api.mutations import MutationField
from graphql_api.schema import graphql_schema
from tests.contract.table import Endpoint
from tests.contract.world import World
from tests.support.graphql import every_field

_keys = itertools.count(1)

ROOTS = {"mutation": graphql_schema.mutation_type, "query": graphql_schema.query_type}


class Offered:
    """The field of the schema that does what an operation of REST does."""

    how: MutationField

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind, self.field = next(
            (kind, root.fields[name])
            for kind, root in ROOTS.items()
            if root is not None and name in root.fields
        )
        how = field_kind_of(self.field)
        assert isinstance(how, MutationField)
        self.how = how

    @property
    def document(self) -> str:
        """The operation: every argument a variable, and everything selected that the answer itself
        holds.
        """
        arguments = self.field.args
        declared = ", ".join(f"${name}: {argument.type}" for name, argument in arguments.items())
        given = ", ".join(f"{name}: ${name}" for name in arguments)
        type = get_named_type(self.field.type)
        fields = every_field(type.name)
        return (
            f"{self.kind} {f'({declared})' if declared else ''}"
            f"{{ {self.name}{f'({given})' if given else ''} {{ __typename {fields} }} }}"
        )

    def variables(
        self, endpoint: Endpoint, ids: Mapping[str, str], query: Mapping[str, str], body: Any
    ) -> Any:
        """What stands for the parameters of the path, the query and the body."""
        path = re.findall(r"{(\w+)}", endpoint.path)
        variables: dict[str, Any] = dict(
            zip(self.how.ids, (ids[name] for name in path), strict=True)
        )
        if (argument := self.field.args.get("input")) is not None:
            variables["input"] = _said(
                argument.type, query if endpoint.method == "DELETE" else body
            )
            if variables["input"] is None:
                del variables["input"]
        return variables


async def ask_gateway(
    gateway: httpx.AsyncClient,
    world: World,
    endpoint: Endpoint,
    offered: Offered,
    credential: Mapping[str, str],
    *,
    ids: Mapping[str, str] | None = None,
    body: Any = ...,
    query: Mapping[str, str] | None = None,
    headers: Mapping[str, Any] | None = None,
) -> httpx.Response:
    """One call: that which succeeds, but for what is told otherwise."""
    variables = offered.variables(
        endpoint,
        await world.fill(endpoint.ids) if ids is None else ids,
        await world.fill(endpoint.query) if query is None else query,
        await world.fill(endpoint.body) if body is ... else body,
    )
    if offered.how.keyed:
        key = (headers or {}).get("Idempotency-Key", f"gateway-{next(_keys)}")
        if key is not ...:
            variables["idempotencyKey"] = key
    content = {"query": offered.document, "variables": variables}
    return await gateway.post("/graphql", json=content, headers=dict(credential))


def _said(type: Any, value: Any) -> Any:
    """A value of REST as a variable: enum values by their names. What cannot be said stays as it
    is.
    """
    if isinstance(type, GraphQLNonNull):
        return _said(type.of_type, value)
    if isinstance(type, GraphQLList) and isinstance(value, list):
        return [_said(type.of_type, one) for one in value]
    if isinstance(type, GraphQLInputObjectType):
        if type.name == "LostReasonInput" and isinstance(value, str):  # the short form of REST
            value = {"texto": value}
        if not isinstance(value, dict):
            return value
        if type.is_one_of:  # what REST takes for left out is one too many here
            value = {name: item for name, item in value.items() if item is not None}
        return {
            name: _said(type.fields[name].type, item) if name in type.fields else item
            for name, item in value.items()
        }
    if isinstance(type, GraphQLEnumType) and isinstance(value, str):
        names = {
            str(getattr(one.value, "value", one.value)): name
            for name, one in type.values.items()
            if one.deprecation_reason is None
        }
        return names.get(value, f"not {value}")  # a name of ours is no value of REST
    return value
