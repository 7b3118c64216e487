"""What callers read about: every name of the two contracts, and whether it says what it is."""

from collections.abc import Iterator
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
)

from rest_api.openapi.enums import ENUMS


def undescribed_in_graphql(schema: GraphQLSchema) -> Iterator[str]:
    """Types, fields, arguments and values of enums without a description."""
    for type in schema.type_map.values():
        if type.name.startswith("__"):
            continue
        if not type.description and type.name not in ("Query", "Mutation", "Subscription"):
            yield f"graphql {type.name}"
        match type:
            case GraphQLObjectType() | GraphQLInterfaceType():
                yield from _fields(type)
            case GraphQLInputObjectType():
                inputs = type.fields.items()
                yield from (f"graphql {type.name}.{n}" for n, one in inputs if not one.description)
            case GraphQLEnumType():
                values = type.values.items()
                yield from (f"graphql {type.name}.{n}" for n, one in values if not one.description)


def _fields(type: GraphQLObjectType | GraphQLInterfaceType) -> Iterator[str]:
    for name, field in type.fields.items():
        if not field.description:
            yield f"graphql {type.name}.{name}"
        for argument, one in field.args.items():
            if not one.description:
                yield f"graphql {type.name}.{name}({argument})"


def undescribed_in_openapi(document: dict[str, Any]) -> Iterator[str]:
    """Shapes, properties, parameters and closed sets without a description."""
    for name, shape in document["components"]["schemas"].items():
        if name in ENUMS:
            if "x-enum-descriptions" not in shape or not all(shape["x-enum-descriptions"]):
                yield f"openapi {name}, its values"
            continue
        if "description" not in shape and "$ref" not in shape:
            yield f"openapi {name}"
        yield from _properties(shape, f"openapi {name}")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for one in operation.get("parameters", ()):
                if not one.get("description"):
                    yield f"openapi {method.upper()} {path} {one['name']}"


def _properties(schema: Any, place: str) -> Iterator[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _properties(one, place)
    if not isinstance(schema, dict):
        return
    for name, one in schema.get("properties", {}).items():
        if not one.get("description"):
            yield f"{place}.{name}"
        yield from _properties(one, f"{place}.{name}")
    for inside in ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems"):
        yield from _properties(schema.get(inside), place)
