"""Free attributes of contacts: which values they take, and the keys that have been seen."""

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, PlainValidator, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from core.contacts.models import AttributeKind
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import MAX_INTEGER

MAX_ATTRIBUTES = 100
MAX_TEXT_LENGTH = 1000
MAX_LIST_LENGTH = 50
MAX_LIST_TEXT_LENGTH = 200


def _value(value: object) -> object:
    match value:
        case None | bool():
            return value
        case str() if len(value) > MAX_TEXT_LENGTH:
            raise PydanticCustomError("too_long", "A text has at most 1,000 characters")
        case int() if abs(value) > MAX_INTEGER:
            raise PydanticCustomError(
                "too_large", "A number lies within ±9007199254740991 or has decimals"
            )
        case float() if not math.isfinite(value):
            raise PydanticCustomError("not_finite", "A number is finite")
        case str() | int() | float():
            return value
        case list() if len(value) > MAX_LIST_LENGTH:
            raise PydanticCustomError("too_many", "A list has at most 50 texts")
        case list() if all(
            isinstance(text, str) and len(text) <= MAX_LIST_TEXT_LENGTH for text in value
        ):
            return value
    raise PydanticCustomError(
        "wrong_type",
        "An attribute is a text, a number, a boolean, null or a list of texts of at "
        "most 200 characters; "
        "nothing is nested",
    )


AttributeKey = Annotated[str, StringConstraints(min_length=1, max_length=64)]
AttributeValue = Annotated[str | int | float | bool | list[str] | None, PlainValidator(_value)]
ATTRIBUTES_SCHEMA: dict[str, Any] = {
    "x-name": "Attributes",
    "x-told": "Free data, flat",
    "type": "object",
    "maxProperties": MAX_ATTRIBUTES,
    "propertyNames": {"minLength": 1, "maxLength": 64},
    "additionalProperties": {
        "anyOf": [
            {"type": "string", "maxLength": MAX_TEXT_LENGTH},
            {"type": "number"},
            {"type": "boolean"},
            {
                "type": "array",
                "maxItems": MAX_LIST_LENGTH,
                "items": {"type": "string", "maxLength": MAX_LIST_TEXT_LENGTH},
            },
            {"type": "null"},
        ]
    },
}
"""The documentation makes a shape of this name of it."""
Attributes = Annotated[
    dict[AttributeKey, AttributeValue],
    Field(max_length=MAX_ATTRIBUTES),
    WithJsonSchema(ATTRIBUTES_SCHEMA),
]
"""Flat data under free keys."""


KINDS: Mapping[type, AttributeKind] = {
    bool: AttributeKind.BOOLEAN,
    int: AttributeKind.NUMBER,
    float: AttributeKind.NUMBER,
    str: AttributeKind.TEXT,
    list: AttributeKind.LIST,
}


def kind_of(value: object) -> AttributeKind | None:
    """The kind of a value; None for null, which is of no kind."""
    return KINDS.get(type(value))


async def remember_attributes(
    caller: Caller, attributes: Iterable[Mapping[str, object]], *, at: datetime
) -> None:
    """Note which keys exist and with which kinds of values, for those who build filters."""
    seen = {
        (key, kind)
        for one in attributes
        for key, value in one.items()
        if (kind := kind_of(value)) is not None
    }
    if seen:
        # In one order, so that two writers of the same new keys do not wait for each other in a
        # circle.
        keys, kinds = db.columns(sorted(seen), 2)
        await db.execute(REMEMBER, caller.organization_id, caller.env, keys, kinds, at)


REMEMBER = """
INSERT INTO contact_attributes (organization_id, env, key, kind, created_at)
SELECT $1::text, $2::text, s.key, s.kind, $5
FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS s (key, kind, place)
WHERE NOT EXISTS (
    SELECT FROM contact_attributes a
    WHERE a.organization_id = $1::text AND a.env = $2::text AND a.key = s.key AND a.kind = s.kind)
ORDER BY s.place
ON CONFLICT DO NOTHING
"""
