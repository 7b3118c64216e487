"""Findings of a flow's validation: errors and warnings with their place."""

from dataclasses import dataclass, field
from typing import Annotated, TypedDict

from core.foundation.language import in_language_noted
from core.foundation.records import Doc, named

Place = tuple[str | int, ...]

MAX_FINDINGS = 500
"""Of each kind. A screen may have thousands of parts, and an answer that names them all would serve
nobody.
"""


@named(rest="FlowFinding", graphql="FlowFinding")
class FindingRecord(TypedDict):
    """A place in the flow and what is to be said about it."""

    pointer: Annotated[str, Doc("JSON Pointer in the record")]
    codigo: Annotated[str, Doc("What programs decide by")]
    mensagem: Annotated[str, Doc("What is to be said, for a person")]


@named(rest="FlowValidation", graphql="FlowValidation")
class ValidationRecord(TypedDict):
    """What a look through a flow came to."""

    valido: Annotated[bool, Doc("Whether it may be published")]
    erros: Annotated[list[FindingRecord], Doc("What keeps it from being published")]
    avisos: Annotated[
        list[FindingRecord], Doc("What may be refused, or surprise, and keeps it from nothing")
    ]


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

    def record(self) -> FindingRecord:
        """It as the interface spells it."""
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

    def record(self) -> ValidationRecord:
        """The answer of the validation."""
        return {
            "valido": not self.errors,
            "erros": [one.record() for one in self.errors],
            "avisos": [one.record() for one in self.warnings],
        }
