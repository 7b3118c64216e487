"""Findings of a flow's validation: errors and warnings with their place."""

from dataclasses import dataclass, field
from typing import Any

from core.foundation.language import in_language_noted

Place = tuple[str | int, ...]

MAX_FINDINGS = 500
"""Of each kind. A screen may have thousands of parts, and an answer that names them all would serve
nobody.
"""


@dataclass(frozen=True, slots=True)
class FlowFinding:
    """One place under `flowJson`, and what is to be said about it."""

    place: Place
    code: str
    message: str

    @property
    def pointer(self) -> str:
        """The place in a body that has the field `flowJson`."""
        return "/" + "/".join(
            str(part).replace("~", "~0").replace("/", "~1") for part in ("flowJson", *self.place)
        )

    def as_wire(self) -> dict[str, Any]:
        return {
            "pointer": self.pointer,
            "codigo": self.code,
            "mensagem": in_language_noted(self.message),
        }


@dataclass(slots=True)
class FlowReport:
    """Errors keep a flow from being published; warnings do not."""

    errors: list[FlowFinding] = field(default_factory=list)
    warnings: list[FlowFinding] = field(default_factory=list)

    def wrong(self, place: Place, code: str, message: str) -> None:
        if len(self.errors) < MAX_FINDINGS:
            self.errors.append(FlowFinding(place, code, message))

    def doubt(self, place: Place, code: str, message: str) -> None:
        if len(self.warnings) < MAX_FINDINGS:
            self.warnings.append(FlowFinding(place, code, message))

    def as_wire(self) -> dict[str, Any]:
        """The answer of the validation."""
        return {
            "valido": not self.errors,
            "erros": [one.as_wire() for one in self.errors],
            "avisos": [one.as_wire() for one in self.warnings],
        }
