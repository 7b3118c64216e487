"""`GET /webhooks/event-types`: what a subscription may name, each with the schema and an example of
its body.
"""

from functools import cache
from typing import Any

from core.webhooks.events.event_types import EventType
from rest_api.openapi.event_examples import example_of
from rest_api.openapi.events import body_schema, event_shapes, told_of
from rest_api.openapi.schemas import PREFIX, Schemas, references

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DEFINITIONS = "#/$defs/"


@cache
def event_types() -> dict[str, Any]:
    """All of them, made once per process: `{items: [{name, description, schema, example}]}`."""
    schemas = Schemas(inputs=(), queries=(), outputs=event_shapes(), closed=False)
    bodies = {name: body_schema(name, schemas) for name in EventType}
    shapes = schemas.components()
    for reference in references([*bodies.values(), *shapes.values()]):
        reference["$ref"] = reference["$ref"].replace(PREFIX, DEFINITIONS)
    return {
        "items": [
            {
                "name": name,
                "description": told_of(name),
                "schema": {"$schema": DIALECT, **body, "$defs": _needed(body, shapes)},
                "example": example_of(name),
            }
            for name, body in bodies.items()
        ]
    }


def _needed(body: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """The shapes that the body refers to, and those that these refer to."""
    found: dict[str, Any] = {}
    left = [body]
    while left:
        for reference in references(left.pop()):
            name = reference["$ref"].removeprefix(DEFINITIONS)
            if name not in found:
                found[name] = shapes[name]
                left.append(shapes[name])
    return dict(sorted(found.items()))
