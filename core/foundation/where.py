"""Conditions of a statement that is being put together, and their values."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Where:
    """It holds no value that was not asked for: each use is planned for its own.

    `values` may be those of a larger statement, which the conditions then join.
    """

    values: list[Any]
    conditions: list[str] = field(default_factory=list)

    def narrow(self, condition: str, *values: Any) -> None:
        """Add a condition in which `{}` stands for each value, or `{0}` for one that is needed twice."""
        first = len(self.values) + 1
        self.conditions.append(condition.format(*(f"${first + place}" for place in range(len(values)))))
        self.values += values

    def narrow_by(self, make: Callable[[list[Any]], str]) -> None:
        """Add a condition that appends its values itself."""
        self.conditions.append(make(self.values))

    def __str__(self) -> str:
        return " AND ".join(self.conditions)
