"""Building the WHERE of a statement: conditions and their values."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Self

from core.foundation.clock import as_shown
from core.foundation.security.caller import Caller

INSTANT = timedelta(microseconds=1)
LAST = datetime.max.replace(tzinfo=UTC) - INSTANT
"""Who means for ever writes the last millisecond of the year 9999, behind which there is nothing."""


def end_of(until: datetime | None) -> datetime | None:
    """The first instant behind a period that `until` belongs to, and all that is shown as it."""
    return None if until is None else min(as_shown(until), LAST) + INSTANT


@dataclass(slots=True)
class Where:
    """It holds no value that was not asked for: each use is planned for its own.

    `values` may be those of a larger statement, which the conditions then join.
    """

    values: list[object]
    conditions: list[str] = field(default_factory=list)

    @classmethod
    def visible_to(cls, caller: Caller, *, alias: str | None = None) -> Self:
        """The rows of the caller's organization and environment, and no other."""
        of = f"{alias}." if alias else ""
        return cls(
            [caller.organization_id, caller.env], [f"{of}organization_id = $1", f"{of}env = $2"]
        )

    def narrow(self, condition: str, *values: object) -> None:
        """Add a condition in which `{}` stands for each value, or `{0}` for one that is needed
        twice.
        """
        first = len(self.values) + 1
        self.conditions.append(
            condition.format(*(f"${first + place}" for place in range(len(values))))
        )
        self.values += values

    def narrow_given(self, *conditions: tuple[str, object]) -> None:
        """Add those conditions whose value is given: None asks for nothing."""
        for condition, value in conditions:
            if value is not None:
                self.narrow(condition, value)

    def value(self, value: object) -> str:
        """The place of a value that no condition has."""
        self.values.append(value)
        return f"${len(self.values)}"

    def narrow_period(self, column: str, since: datetime | None, until: datetime | None) -> None:
        """Add the bounds that are told; both belong to the period, and so does all that is shown as
        one of them.
        """
        self.narrow_given(
            (f"{column} >= {{}}", since), (f"{column} <= {{}}", until and as_shown(until))
        )

    def narrow_by(self, make: Callable[[list[object]], str]) -> None:
        """Add a condition that appends its values itself."""
        self.conditions.append(make(self.values))

    def __str__(self) -> str:
        return " AND ".join(self.conditions)
