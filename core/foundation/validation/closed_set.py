"""Filters that may not refuse: a value outside the closed set matches nothing, with a warning."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """Marks a text parameter by the values that it can usefully have."""

    values: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[object]) -> Self:
        """The set of an enum, or of the arguments of a Literal."""
        return cls(tuple(str(value) for value in values))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, object]:
        return {"type": "string", "enum": list(self.values)}
