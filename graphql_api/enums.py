"""Closed sets of the interface as enums: the REST value in upper case, `_` for signs that GraphQL
cannot spell.

A member's value is the REST value, so that records of core need no conversion, and arguments arrive
as core wants them.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any

import strawberry
from strawberry.types.enum import EnumValue

from core.foundation.described_enum import DescribedEnum
from core.foundation.security.caller import Environment
from core.read_models.query_compiler import Entity


def wire_enum(name: str, values: Iterable[str], *, description: str | None = None) -> Any:
    """The enum of a closed set, to be used as a type of fields and arguments. Takes a StrEnum or
    texts.
    """
    members = {_name_of(str(value)): str(value) for value in values}
    made = strawberry.enum(StrEnum(name, members), description=description)  # type: ignore[call-overload]
    _take_old_names(made)
    return made


def _name_of(value: str) -> str:
    """`isNot` is IS_NOT, `24h` is _24H: a name begins with no digit."""
    words = re.sub(r"(?<=[a-z])([A-Z])|^(?=\d)", r"_\1", value)
    return re.sub(r"\W", "_", words).upper()


OLD_NAMES_END = "2027-12-01"
"""Until when the names without `_` are taken that were the only ones before 2026-12-01."""


def _take_old_names(made: Any) -> None:
    """Values of two words are known by a name without `_` too, which is deprecated. What is answered
    has the first name of its value.
    """
    values = made.__strawberry_definition__.values
    old = []
    for value in values:
        name = re.sub(r"\W", "_", value.value).upper()
        if name != value.name.lstrip("_"):
            why = f"Use {value.name}; this name is taken until {OLD_NAMES_END}."
            old.append(EnumValue(name=name, value=value.value, deprecation_reason=why))
    values += old


@cache
def enum_of(closed: type[DescribedEnum]) -> Any:
    """The enum of a set that says what its values mean; the same one wherever the set is used."""
    return enum_among(closed, closed.graphql_name, closed)


def enum_among(closed: type[DescribedEnum], name: str, values: Iterable[str]) -> Any:
    """These values of a set as an enum of their own, with what they mean."""
    made = wire_enum(name, values, description=" ".join((closed.__doc__ or "").split()))
    for value in made.__strawberry_definition__.values:
        value.description = closed(value.value).description
    return made


def described_enum(name: str, values: Mapping[str, str], *, description: str) -> Any:
    """The enum of values that are several sets' together, each with what it means."""
    made = wire_enum(name, values, description=description)
    for value in made.__strawberry_definition__.values:
        value.description = values[value.value]
    return made


def order_enum(name: str, entity: Entity) -> Any:
    """The orders of an entity; `CREATED_AT_DESC` is its `-createdAt`."""
    members = {}
    for order in filter(None, entity.orders):
        words = re.sub(r"([A-Z])", r"_\1", order.removeprefix("-")).upper()
        members[f"{words}_{'DESC' if order.startswith('-') else 'ASC'}"] = order
    made = strawberry.enum(StrEnum(name, members), description="The orders of a list")  # type: ignore[call-overload]
    for value in made.__strawberry_definition__.values:
        value.description = _told_of_order(value.value)
    return made


def _told_of_order(order: str) -> str:
    way = "descending" if order.startswith("-") else "ascending"
    return "By `" + order.removeprefix("-") + "`, " + way


ENV = enum_of(Environment)
