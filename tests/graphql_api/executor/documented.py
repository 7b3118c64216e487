"""The GraphQL documents that our pages show, with values for their variables."""

import json
import re
from collections.abc import Iterator
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    OperationDefinitionNode,
    OperationType,
    type_from_ast,
)

from graphql_api.documents import read_document
from graphql_api.schema import graphql_schema
from tests.support.processes import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = ROOT / "rest_api/console/static/documents.json"

IN_PAGES = (
    re.compile(r"sh gql '([^']+)'(?:\s+'(\{[^']*\})')?"),
    re.compile(r"""-d '\{"query": "((?:[^"\\]|\\.)+)"()"""),
    re.compile(r"--data-urlencode 'query=([^']+)'()"),
    re.compile(r"DOCUMENT='([^']+)'()"),
)

VALUES: dict[str, Any] = {
    "ID": "x_1",
    "String": "a text",
    "Int": 5,
    "Float": 0.5,
    "Boolean": True,
    "BigInt": 1,
    "DateTime": "2026-11-01T00:00:00Z",
    "Date": "2026-11-01",
    "JSON": {},
}

NAMED = {"timezone": "America/Sao_Paulo"}


def documented() -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Each document that can be executed, and the variables shown with it, if they are shown."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for pattern in IN_PAGES:
            for document, variables in pattern.findall(text):
                if _runs(document.replace('\\"', '"')):
                    shown = json.loads(variables) if variables else None
                    yield document.replace('\\"', '"'), shown
    for document in json.loads(CONSOLE.read_text(encoding="utf-8")).values():
        # Inputs that are made up here do not fit; parts of `me` are looked up apart.
        apart = "$input" in document or "\n  me {" in document
        if document.startswith("query") and not apart:
            yield document, None


def _runs(document: str) -> bool:
    """Whether it is valid, and no subscription: some examples show what is refused."""
    read = read_document(document)
    return read.node is not None and read.operation(None) in (
        OperationType.QUERY,
        OperationType.MUTATION,
    )


def variables_of(document: str) -> dict[str, Any]:
    """A value for every variable that a document declares."""
    node = read_document(document).node
    assert node is not None
    return {
        (name := variable.variable.name.value): NAMED.get(name)
        or _value(type_from_ast(graphql_schema, variable.type))
        for operation in node.definitions
        if isinstance(operation, OperationDefinitionNode)
        for variable in operation.variable_definitions or ()
    }


def _value(type: Any) -> Any:
    if isinstance(type, GraphQLNonNull):
        return _value(type.of_type)
    if isinstance(type, GraphQLList):
        return [_value(type.of_type)]
    if isinstance(type, GraphQLEnumType):
        return next(iter(type.values))
    if isinstance(type, GraphQLInputObjectType):
        required = {name for name, field in type.fields.items() if _is_required(field.type)}
        return {name: _value(type.fields[name].type) for name in required}
    return VALUES[type.name]


def _is_required(type: Any) -> bool:
    return isinstance(type, GraphQLNonNull)
