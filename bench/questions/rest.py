"""The questions of the REST interface: every GET of its document, with every parameter and each of
its values.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import urlencode

from bench.questions.question import Question
from bench.questions.samples import Samples, some_of
from rest_api.app import OPERATIONS
from rest_api.openapi import document
from rest_api.support.operations import Operation

LEFT_OUT = ("/messages/{id}/media",)
"""It answers a file."""

LAST_WEEK = {"from": 1, "to": 0}
ALWAYS: dict[str, dict[str, int]] = {
    "/v2/events": LAST_WEEK,
    "/v2/exports/whatsapp": LAST_WEEK,
    "/v2/links": {"messageId": 0},
}
"""What the question must have to be answered at all, though it is asked by other parameters too: the
place of its value.
"""

PAIRS = (
    ("from", "to"),
    ("status", "from"),
    ("campaignId", "from"),
    ("q", "skip"),
    ("kind", "from"),
)
"""Parameters that are often sent together."""

CONDITIONS: dict[str, dict[str, Any]] = {
    "an attribute": {"field": "attribute.uf", "operator": "is", "value": "SP"},
    "no such attribute": {"field": "attribute.uf", "operator": "notExists"},
    "part of an attribute": {"field": "attribute.cidade", "operator": "contains", "value": "paulo"},
    "a tag": {"field": "tag", "operator": "is", "value": "cliente"},
    "not a tag": {"field": "tag", "operator": "isNot", "value": "cliente"},
    "any tag": {"field": "tag", "operator": "exists"},
    "consent": {"field": "optIn", "operator": "is", "value": "granted"},
    "lately": {"field": "lastInteraction", "operator": "withinDays", "value": 30},
    "never": {"field": "lastInteraction", "operator": "notExists"},
    "a channel": {"field": "channel", "operator": "is", "value": "sms"},
    "an event": {"field": "event", "operator": "is", "value": {"name": "visita", "withinDays": 30}},
    "a company": {"field": "company", "operator": "exists"},
    "a card": {"field": "card", "operator": "exists"},
    "no card": {"field": "card", "operator": "notExists"},
    "clicks": {"field": "clicked", "operator": "exists"},
    "clicks lately": {"field": "clicked", "operator": "withinDays", "value": 30},
}


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
            for asked in _combinations(values, ALWAYS.get(operation.path, {})):
                yield _question(operation.path, path, asked)


def previews(samples: Samples) -> Iterator[Question]:
    """What is counted before it is asked for: segments by conditions of each kind."""
    for name, condition in CONDITIONS.items():
        body = {"filters": [condition]}
        yield Question(f"POST /v2/segments/preview {name}", "/v2/segments/preview", body)


def path_of(operation: Operation, ids: Mapping[str, str]) -> str:
    """The path of an operation, about records that are there, by the prefix of their ids."""
    path = operation.path
    for name, example in operation.ids.items():
        path = path.replace(f"{{{name}}}", ids.get(example.partition("_")[0], example))
    return path


def _combinations(
    values: dict[str, Sequence[Any]], always: dict[str, int]
) -> Iterator[dict[str, Any]]:
    base = {name: values[name][place] for name, place in always.items()}
    yield base
    for name, several in values.items():
        for value in several:
            if base.get(name) != value:
                yield {**base, name: value}
    for first, second in PAIRS:
        if first in values and second in values:
            for one, other in product(values[first], values[second][:1]):
                yield {**base, first: one, second: other}


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
        return some_of(schema["enum"])
    if "const" in schema:
        return (schema["const"],)
    if schema.get("type") == "boolean":
        return ("true", "false")
    if parameter["name"] == "limit":
        return (schema.get("maximum", 200),)
    address = parameter["name"] == "to" and schema.get("format") != "date-time"
    return samples.of("recipient" if address else parameter["name"], place)
