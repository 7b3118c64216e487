"""One question to the service."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Question:
    """A GET of `path`, or with a body a POST of it. `name`: how a report calls it."""

    name: str
    path: str
    body: dict[str, Any] | None = None

    def behind(self, cursor: str) -> "Question":
        """The same about the page behind a cursor."""
        name = f"{self.name} deep"
        if self.body is None:
            sign = "&" if "?" in self.path else "?"
            return replace(self, name=name, path=f"{self.path}{sign}cursor={quote(cursor)}")
        document = self.body["query"]
        if "$after" not in document:  # of ours, which take a page by their first
            document = document.replace("$first: Int", "$after: String, $first: Int", 1)
            document = document.replace("first: $first", "after: $after, first: $first", 1)
        variables = {**self.body["variables"], "after": cursor}
        return replace(self, name=name, body={"query": document, "variables": variables})
