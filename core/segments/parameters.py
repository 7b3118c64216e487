"""The values of a statement about contacts, and the placeholders that stand for them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson


@dataclass(slots=True)
class Parameters:
    """Collects the values of a statement whose first two are the organization and the environment."""

    at: datetime
    values: list[object]

    def value(self, value: object) -> str:
        """The placeholder of a value."""
        self.values.append(value)
        return f"${len(self.values)}"

    def json(self, value: object) -> str:
        """The placeholder of a value as JSON: the connection takes a text for JSON that is written
        already.
        """
        return f"{self.value(orjson.dumps(value).decode())}::jsonb"

    def days_ago(self, days: int) -> str:
        """The placeholder of an instant."""
        return f"{self.value(self.at - timedelta(days=days))}::timestamptz"
