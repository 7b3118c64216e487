"""Closed sets of values: each value says what it means, where it is declared."""

from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema


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

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """A value is read as its member also where a strict model is made in Python."""
        schema: Any = handler(source)
        read: CoreSchema = {**schema, "strict": False}
        return read

    def __init_subclass__(
        cls, *, rest: str | None = None, graphql: str | None = None, **options: object
    ) -> None:
        """Give the set its names."""
        super().__init_subclass__(**options)
        cls.rest_name = rest or cls.__name__
        cls.graphql_name = graphql or cls.__name__
