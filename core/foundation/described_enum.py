"""Closed sets of values: each value says what it means, where it is declared."""

from enum import StrEnum
from typing import Any, ClassVar, Self


class DescribedEnum(StrEnum):
    """A closed set of the interface. A member is written `NAME = "value", "What it means"`.

    One set serves inputs, models, records, REST and GraphQL. `rest` and `graphql` are its names
    there, where they differ from the name of the class.
    """

    description: str
    rest_name: ClassVar[str]
    graphql_name: ClassVar[str]

    def __new__(cls, value: str, description: str = "") -> Self:
        """The member of a value, which remembers what the value means."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member

    def __init_subclass__(
        cls, *, rest: str | None = None, graphql: str | None = None, **options: Any
    ) -> None:
        """Give the set its names."""
        super().__init_subclass__(**options)
        cls.rest_name = rest or cls.__name__
        cls.graphql_name = graphql or cls.__name__
