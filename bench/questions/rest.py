"""The questions of the REST interface: every GET of its document, with every parameter and each of
its values.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import urlencode

from bench.questions.question import Question
from bench.questions.samples import Samples
from rest_api.app import OPERATIONS
from rest_api.openapi import document
from rest_api.support.operations import Operation

LEFT_OUT = ("/messages/{id}/media",)
"""It answers a file."""

ALWAYS = {"/v2/exports/whatsapp": "from", "/v2/links": "messageId"}
"""What the question must have to be answered at all, though it is asked by other parameters too."""

PAIRS = (
    ("from", "to"),
    ("status", "from"),
    ("campaignId", "from"),
    ("q", "skip"),
    ("kind", "from"),
)
"""Parameters that are often sent together."""


def rest_questions(samples: Samples) -> Iterator[Question]:
    """One question for each operation, one more for each value of each parameter, and some pairs.
    Raises NoSample.
    """
    whole = document(OPERATIONS, base_url="https://svc.example.com")
    for operation in OPERATIONS:
        if operation.method == "GET" and operation.path not in LEFT_OUT and not operation.public:
            described = whole["paths"][operation.path]["get"].get("parameters", [])
            path = path_of(operation, samples.ids)
            values = {
                one["name"]: _values(whole, one, samples, operation.path)
                for one in described
                if one["in"] == "query" and one["name"] != "cursor"
            }
            for asked in _combinations(values, ALWAYS.get(operation.path)):
                yield _question(operation.path, path, asked)


def path_of(operation: Operation, ids: Mapping[str, str]) -> str:
    """The path of an operation, about records that are there, by the prefix of their ids."""
    path = operation.path
    for name, example in operation.ids.items():
        path = path.replace(f"{{{name}}}", ids.get(example.partition("_")[0], example))
    return path


def _combinations(values: dict[str, Sequence[Any]], always: str | None) -> Iterator[dict[str, Any]]:
    base = {} if always is None else {always: values[always][0]}
    yield base
    for name, several in values.items():
        for value in several:
            if {name: value} != base:
                yield {**base, name: value}
    for first, second in PAIRS:
        if first in values and second in values:
            for one, other in product(values[first], values[second][:1]):
                yield {first: one, second: other}


def _question(name: str, path: str, asked: dict[str, Any]) -> Question:
    shown = "&".join(f"{key}={value}" for key, value in asked.items())
    return Question(
        f"GET {name}{'?' if shown else ''}{shown}", f"{path}?{urlencode(asked)}" if asked else path
    )


def _values(
    whole: dict[str, Any], parameter: dict[str, Any], samples: Samples, place: str
) -> Sequence[Any]:
    schema = parameter["schema"]
    if schema.get("type") == "array":
        schema = schema["items"]
    while "$ref" in schema:
        schema = whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        return tuple(schema["enum"])
    if "const" in schema:
        return (schema["const"],)
    if schema.get("type") == "boolean":
        return ("true", "false")
    return samples.of(parameter["name"], place)
