"""One question to the service."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Question:
    """A GET of `path`, or with a body a POST of it. `name`: how a report calls it."""

    name: str
    path: str
    body: dict[str, Any] | None = None
