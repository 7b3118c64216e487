"""The questions of the console: every query that its screens ask, with what they cannot be asked without."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from graphql import (
    FieldNode,
    NonNullTypeNode,
    OperationDefinitionNode,
    OperationType,
    VariableDefinitionNode,
    parse,
    print_ast,
)

import rest_api.console
from bench.questions.question import Question
from bench.questions.roots import PREFIX_OF
from bench.questions.samples import Samples

INPUTS: dict[str, Any] = {
    "SegmentPreviewInput!": {
        "filters": [{"field": "attribute", "key": "uf", "operator": "IS", "value": "SP"}]
    },
    "CardFilter!": {},
    "ID": None,
    "Boolean!": True,
}
NOT_A_LIST = (
    "JourneyRehearsalInput!",
    "SendExplanationInput!",
    "SmsPreviewInput!",
    "WebhookSignatureInput!",
)
"""Who asks with these works something out, and reads no list."""


def console_questions(samples: Samples) -> Iterator[Question]:
    """One question for each query, and for each value of a text that is looked for. Raises NoSample."""
    folder = Path(rest_api.console.__file__).parent / "static"
    for document in orjson.loads((folder / "documents.json").read_bytes()).values():
        for node in parse(document).definitions:
            if isinstance(node, OperationDefinitionNode) and node.operation is OperationType.QUERY:
                yield from _of(node, document, samples)


def _of(node: OperationDefinitionNode, document: str, samples: Samples) -> Iterator[Question]:
    assert node.name is not None
    needed = [one for one in node.variable_definitions or () if _is_needed(one)]
    if any(print_ast(one.type) in NOT_A_LIST for one in needed):
        return
    given = {one.variable.name.value: _value(one, _root_of(one, node), samples) for one in needed}
    texts = samples.of("q", "console") if "q" in given else (None,)
    for text in texts:
        variables = given if text is None else {**given, "q": text}
        shown = "" if text is None else f" {text}"
        body = {"query": document, "variables": variables}
        yield Question(f"console {node.name.value}{shown}", "/graphql", body)


def _root_of(variable: VariableDefinitionNode, node: OperationDefinitionNode) -> str:
    """The field of the query type that takes a variable as its id, or nothing."""
    asked = f"id: ${variable.variable.name.value}"
    for one in node.selection_set.selections:
        if isinstance(one, FieldNode) and asked in map(print_ast, one.arguments or ()):
            return one.name.value
    return ""


def _is_needed(variable: VariableDefinitionNode) -> bool:
    return isinstance(variable.type, NonNullTypeNode) or variable.variable.name.value == "id"


def _value(variable: VariableDefinitionNode, root: str, samples: Samples) -> Any:
    name, kind = variable.variable.name.value, print_ast(variable.type)
    if kind == "DateTime!":
        return samples.of("since", "console")[0 if name == "yesterday" else -1]
    if kind.startswith("ID") and root in PREFIX_OF:
        return samples.ids[PREFIX_OF[root]]
    if name == "senderId":
        return samples.ids["num"]
    if kind in INPUTS:
        return INPUTS[kind]
    return samples.of(name, "console")[0]
