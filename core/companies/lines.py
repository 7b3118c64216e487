"""The lines of an import: read one by one, and what became of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.companies.inputs import NewCompany
from core.companies.record import CompanyImportDone, CompanyLineTold
from core.foundation.errors import FieldError, ServiceError
from core.foundation.language import in_language_noted
from core.foundation.validation.inputs import read_body
from core.foundation.validation.raw_items import item_json

MAX_FAULTS = 20
"""Faults of one line that are told: a company has hardly more fields, and a line of nonsense might
have thousands.
"""


@dataclass(frozen=True, slots=True)
class CompanyLine:
    """A line that could be read. `number` counts from 1; `sent` are the fields that it has."""

    number: int
    new: NewCompany
    sent: frozenset[str]


@dataclass(slots=True)
class CompanyImportOutcome:
    """What became of the lines so far: each was created from, changed by, or is in `errors`."""

    created: int = 0
    updated: int = 0
    errors: dict[int, str] = field(default_factory=dict)

    def refuse(self, number: int, error: ServiceError) -> None:
        """Tell what is wrong with a line."""
        self.errors[number] = "; ".join(map(_told, error.errors[:MAX_FAULTS])) or in_language_noted(
            error.detail
        )

    def answer(self) -> CompanyImportDone:
        """The answer of the operation."""
        errors: list[CompanyLineTold] = [
            {"linha": number, "mensagem": message}
            for number, message in sorted(self.errors.items())
        ]
        return {"criadas": self.created, "atualizadas": self.updated, "erros": errors}


def read_lines(raw: Iterable[object], outcome: CompanyImportOutcome) -> list[CompanyLine]:
    """The lines that can be read, in their order; the others are refused."""
    lines = []
    for number, value in enumerate(raw, start=1):
        try:
            new = read_body(NewCompany, item_json(value))
            lines.append(CompanyLine(number, new, frozenset(new.model_fields_set)))
        except ServiceError as error:
            outcome.refuse(number, error)
    return lines


def _told(error: FieldError) -> str:
    """The field and what is wrong with it."""
    name = error.where.removeprefix("/").replace("/", ".") or "linha"
    return f"{name}: {in_language_noted(error.message)}"
