"""Reading the lines of an import: the key of each, which repeat another, and validation errors."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter, itemgetter

from core import contacts
from core.contact_imports.inputs import ImportKey
from core.contact_imports.record import ImportDone, LineTold
from core.contacts import NewContact
from core.foundation.errors import ServiceError
from core.foundation.language import in_language_noted
from core.foundation.security.caller import Caller
from core.foundation.turns import in_turns
from core.foundation.validation.inputs import KeptWhenLeftOut, Phone, read_body
from core.foundation.validation.raw_items import item_json

Key = bytes | str

MAX_FAULTS = 20
"""Faults of one line that are told: a contact has hardly more fields, and a line of nonsense might
have thousands.
"""


class ContactLineByExternalId(NewContact):
    """A line that is known by its externalId: a contact that is there already keeps its phone."""

    phone: KeptWhenLeftOut[Phone] = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class ContactLine:
    """A line that could be read. `number` counts from 1; `sent` are the fields that it has. No
    phone, no `identity`.
    """

    number: int
    new: NewContact
    sent: frozenset[str]
    identity: bytes | None
    key: Key


@dataclass(slots=True)
class ContactImportOutcome:
    """What became of the lines so far."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    ignored: int = 0
    errors: list[LineTold] = field(default_factory=list)
    warnings: list[LineTold] = field(default_factory=list)

    def refuse(self, number: int, error: ServiceError) -> None:
        """Tell the fields of a line that are wrong, or the refusal as a whole."""
        if not error.errors:
            self.errors.append(_told(number, None, error.code, error.detail))
        for one in error.errors[:MAX_FAULTS]:
            self.errors.append(_told(number, one.where, one.code, one.message))

    def answer(self) -> ImportDone:
        """The answer of the operation; errors and warnings in the order of the lines."""
        return {
            "criados": self.created,
            "atualizados": self.updated,
            "inalterados": self.unchanged,
            "ignorados": self.ignored,
            "erros": sorted(self.errors, key=itemgetter("linha")),
            "warnings": sorted(self.warnings, key=itemgetter("linha")),
        }


async def read_lines(
    caller: Caller,
    raw: Iterable[object],
    outcome: ContactImportOutcome,
    *,
    by: ImportKey,
    at: datetime,
) -> deque[ContactLine]:
    """The lines that can be stored, in their order. Of those with one key the last counts, the
    others are warned of; of those that want one phone or one externalId for different contacts the
    first gets it, the others are refused.
    """
    found: dict[Key, ContactLine] = {}
    async for number, value in in_turns(enumerate(raw, start=1)):
        try:
            line = _read(caller, number, value, by=by, at=at)
        except ServiceError as error:
            outcome.refuse(number, error)
            continue
        earlier = found.pop(line.key, None)
        if earlier is not None:
            message = "A later line is about the same contact and counts instead"
            outcome.warnings.append(_told(earlier.number, None, "linha_repetida", message))
        found[line.key] = line
    return await _without_clashes(found.values(), outcome, by=by)


def _read(
    caller: Caller, number: int, value: object, *, by: ImportKey, at: datetime
) -> ContactLine:
    model = ContactLineByExternalId if by == ImportKey.EXTERNAL_ID else NewContact
    new = read_body(model, item_json(value))
    if by == ImportKey.EXTERNAL_ID and new.external_id is None:
        raise contacts.FieldRefused(
            "/externalId", "required", "With externalId as the key every line has one"
        )
    sent = frozenset(new.model_fields_set)
    if "source" not in sent:
        new = new.model_copy(update={"source": contacts.Source.IMPORT})
    contacts.check_new(caller, new, at=at)
    identity = contacts.phone_identity(caller, new.phone) if "phone" in sent else None
    key = identity if by == ImportKey.PHONE else str(new.external_id)
    assert key is not None
    return ContactLine(number, new, sent, identity, key)


async def _without_clashes(
    lines: Iterable[ContactLine],
    outcome: ContactImportOutcome,
    *,
    by: ImportKey,
) -> deque[ContactLine]:
    taken: set[Key] = set()
    kept: deque[ContactLine] = deque()
    async for line in in_turns(sorted(lines, key=attrgetter("number"))):
        other: Key | None = line.new.external_id if by == ImportKey.PHONE else line.identity
        if other is not None and other in taken:
            outcome.refuse(
                line.number,
                contacts.ExternalIdTaken()
                if by == ImportKey.PHONE
                else contacts.PhoneAlreadyRegistered(),
            )
            continue
        if other is not None:
            taken.add(other)
        kept.append(line)
    return kept


def _told(number: int, pointer: str | None, code: str, message: str) -> LineTold:
    told: LineTold = {"linha": number, "codigo": code, "mensagem": in_language_noted(message)}
    if pointer:
        told["campo"] = pointer.removeprefix("/").replace("/", ".")
    return told
