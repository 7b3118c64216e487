"""What is checked of a company before it is stored: its attributes, and whom it points to."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from core.cards import links
from core.companies.models import AttributeType, CompanyAttribute
from core.companies.write import CompanyLinks, CompanyRow
from core.foundation.errors import FieldError
from core.foundation.security.caller import Caller

LINKS = {
    "owner_id": ("/responsavelId", links.MEMBER),
    "main_contact_id": ("/contatoPrincipalId", links.CONTACT),
}

WRONG = {
    AttributeType.STRING: ("wrong_type", "The definition of this attribute asks for a text"),
    AttributeType.NUMBER: ("wrong_type", "The definition of this attribute asks for a number"),
    AttributeType.BOOLEAN: (
        "wrong_type",
        "The definition of this attribute asks for true or false",
    ),
    AttributeType.DATE: (
        "wrong_format",
        "The definition of this attribute asks for a date, as YYYY-MM-DD",
    ),
}


async def hold_links_of(caller: Caller, rows: Iterable[CompanyLinks]) -> links.KnownLinks:
    """Those whom the rows point to and may; contacts are not deleted before the transaction ends."""
    wanted = list(rows)
    return await links.hold_links(
        caller,
        contacts=sorted(
            {row["main_contact_id"] for row in wanted if row["main_contact_id"] is not None}
        ),
        members={row["owner_id"] for row in wanted if row["owner_id"] is not None},
    )


def changed_links(after: CompanyRow, stored: CompanyRow | None) -> CompanyLinks:
    """The links that are not what they were; None for those that are."""
    before = stored or {"owner_id": None, "main_contact_id": None}
    return {
        "owner_id": after["owner_id"] if after["owner_id"] != before["owner_id"] else None,
        "main_contact_id": (
            after["main_contact_id"]
            if after["main_contact_id"] != before["main_contact_id"]
            else None
        ),
    }


def wrong_links(changed: CompanyLinks, known: links.KnownLinks) -> list[FieldError]:
    """Links to nobody of the organization."""
    allowed = {"owner_id": {None, *known.members}, "main_contact_id": {None, *known.contacts}}
    pointed: Mapping[str, object] = changed
    return [
        FieldError("pointer", pointer, "VINCULO_INVALIDO", message)
        for column, (pointer, message) in LINKS.items()
        if pointed[column] not in allowed[column]
    ]


def wrong_attributes(
    definitions: Sequence[CompanyAttribute], attributes: Mapping[str, object]
) -> list[FieldError]:
    """Attributes against their definitions. A key without a definition is free, and null is no
    value.
    """
    errors = []
    for defined in definitions:
        value = attributes.get(defined.key)
        if value is None:
            if defined.required:
                errors.append(
                    _wrong(defined.key, "required", "The definition of this attribute requires it")
                )
        elif not _fits(defined.type, value):
            errors.append(_wrong(defined.key, *WRONG[defined.type]))
    return errors


def _wrong(key: str, code: str, message: str) -> FieldError:
    return FieldError(
        "pointer", f"/atributos/{key.replace('~', '~0').replace('/', '~1')}", code, message
    )


def _fits(type: AttributeType, value: object) -> bool:
    match type, value:
        case (AttributeType.STRING, str()) | (AttributeType.BOOLEAN, bool()):
            return True
        case AttributeType.NUMBER, int() | float():
            return not isinstance(value, bool)
        case AttributeType.DATE, str():
            return _is_date(value)
    return False


def _is_date(text: str) -> bool:
    """`fromisoformat` also takes weeks and dates without hyphens."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
