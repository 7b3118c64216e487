"""Scalars of the schema. Core spells them as the interface does, so nothing is converted on the way
out.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, NewType

import strawberry
from graphql import GraphQLError, ValueNode, value_from_ast_untyped
from pydantic import TypeAdapter, ValidationError
from strawberry.scalars import JSON
from strawberry.types.scalar import ScalarDefinition

from core.foundation.validation.inputs import MAX_INTEGER, Day, UtcTime

__all__ = ["JSON", "SCALARS", "BigInt", "Date", "DateTime"]

DateTime = NewType("DateTime", str)
"""A moment. A record holds it as the interface spells it; an argument arrives as a datetime in UTC.
"""

Date = NewType("Date", str)
"""A day without a time, `YYYY-MM-DD`."""

BigInt = NewType("BigInt", int)
"""Amounts in coins: Int ends at 2,147,483,647, which is 214,748 reais."""

_time = TypeAdapter[datetime](UtcTime)
_day = TypeAdapter[date](Day)


def _read(adapter: TypeAdapter[Any], expected: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        try:
            return adapter.validate_python(value)
        except ValidationError:
            raise GraphQLError(f"expected {expected}") from None

    return read


def _whole(value: Any) -> int:
    if type(value) is not int or abs(value) > MAX_INTEGER:
        raise GraphQLError("expected a whole number within \u00b19007199254740991")
    return value


def _scalar(
    name: str, description: str, serialize: type, parse: Callable[[Any], Any]
) -> ScalarDefinition:
    def parse_literal(node: ValueNode, variables: dict[str, Any] | None = None) -> Any:
        try:
            return parse(value_from_ast_untyped(node, variables))
        except GraphQLError as refusal:
            raise GraphQLError(f"{name}: {refusal.message}", node) from None

    return strawberry.scalar(
        name=name,
        description=description,
        serialize=serialize,
        parse_value=parse,
        parse_literal=parse_literal,
    )


SCALARS: dict[object, ScalarDefinition] = {
    DateTime: _scalar(
        "DateTime",
        "A moment: ISO 8601 in UTC with milliseconds. Other offsets are read; without one it is "
        "UTC.",
        str,
        _read(_time, "a date-time as ISO 8601, such as 2026-11-21T12:00:00Z"),
    ),
    Date: _scalar("Date", "A day: `YYYY-MM-DD`.", str, _read(_day, "a day as YYYY-MM-DD")),
    BigInt: _scalar(
        "BigInt", "A whole number of up to 2^53 - 1, beyond what Int can hold.", int, _whole
    ),
}
"""For the configuration of the schema."""
