"""JSON as types, and reading it: what has another form than expected is absent.

For what others sent and we examine. What is written by us has a record of its own.
"""

from collections.abc import Mapping
from typing import TypeAlias

import orjson

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

JsonObject: TypeAlias = dict[str, Json]


def read_object(raw: bytes | str | None) -> JsonObject:
    """A body as an object; empty when it is none."""
    try:
        value = orjson.loads(raw or b"")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def value_of(value: object, name: str) -> Json:
    """The value of this name; None where there is none, or no object."""
    return value.get(name) if isinstance(value, Mapping) else None


def object_of(value: object, name: str) -> JsonObject:
    """The object of this name; empty when there is none."""
    inner = value_of(value, name)
    return inner if isinstance(inner, dict) else {}


def objects_of(value: object, name: str) -> list[JsonObject]:
    """The objects in the list of this name."""
    inner = value_of(value, name)
    return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else []


def text_of(value: object, name: str) -> str | None:
    """The text of this name, unless it is empty."""
    inner = value_of(value, name)
    return inner if isinstance(inner, str) and inner else None
