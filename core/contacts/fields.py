"""The fields that contacts have in this organization, for filters, imports and templates."""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from core.contacts.inputs import NewContact
from core.contacts.models import (
    AttributeKind,
    ContactAttribute,
    ContactFieldKind,
    FieldOrigin,
)
from core.contacts.record import ContactFieldList, ContactFieldRecord, ContactRecord
from core.foundation.records import DAY, INSTANT, ShapeKey, keys_of
from core.foundation.security.caller import Caller, Scope

TAG = ("is", "isNot", "in", "notIn", "exists", "notExists")
OPT_IN = ("is", "isNot", "in")
LAST_INTERACTION = ("before", "after", "withinDays", "notWithinDays", "exists", "notExists")
CHANNEL = ("is", "isNot", "in")
ATTRIBUTE = {
    AttributeKind.TEXT: ("is", "isNot", "contains", "startsWith", "in", "exists", "notExists"),
    AttributeKind.NUMBER: (
        "is",
        "isNot",
        "in",
        "gt",
        "gte",
        "lt",
        "lte",
        "between",
        "exists",
        "notExists",
    ),
    AttributeKind.BOOLEAN: ("is", "isNot", "exists", "notExists"),
    AttributeKind.LIST: ("contains", "exists", "notExists"),
}
EXAMPLES: dict[str, Any] = {
    AttributeKind.TEXT: "texto",
    AttributeKind.NUMBER: 42,
    AttributeKind.BOOLEAN: True,
    AttributeKind.LIST: ["primeiro", "segundo"],
    ContactFieldKind.DATE: "2026-11-21T12:00:00.000Z",
}


class _Field(NamedTuple):
    """One field. `filter` is its name in segments; the example is never a customer's value."""

    key: str
    label: str
    kind: ContactFieldKind
    example: Any
    filter: str | None = None
    operators: Sequence[str] = ()
    origin: FieldOrigin = FieldOrigin.STANDARD

    def record(self) -> ContactFieldRecord:
        field: ContactFieldRecord = {
            "key": self.key,
            "label": self.label,
            "tipo": self.kind,
            "origem": self.origin,
            "filtravel": self.filter is not None,
            "operadores": list(self.operators),
            "obrigatorio": self.key in REQUIRED,
            "exemplo": self.example,
        }
        if self.filter is not None:
            field["campo"] = self.filter
        return field


TEXT, DATE, LIST = ContactFieldKind.TEXT, ContactFieldKind.DATE, ContactFieldKind.LIST

STANDARD = (
    _Field("phone", "Phone", TEXT, "+5511987654321"),
    _Field("name", "Name", TEXT, "Ana Souza"),
    _Field("email", "E-mail", TEXT, "ana@example.com"),
    _Field("avatarUrl", "Picture", TEXT, "https://example.com/ana.png"),
    _Field("whatsappProfileName", "Name on the messaging platform", TEXT, "Ana"),
    _Field("cpf", "CPF", TEXT, "123.456.789-09"),
    _Field("cnpj", "CNPJ", TEXT, "12.ABC.345/01DE-35"),
    _Field("birthDate", "Birth date", DATE, "1990-12-31"),
    _Field("tags", "Tags", LIST, ["vip"], "tag", TAG),
    _Field("optIn.status", "Consent", TEXT, "granted", "optIn", OPT_IN),
    _Field(
        "channel",
        "Channel that the contact has received or answered on",
        TEXT,
        "sms",
        "channel",
        CHANNEL,
    ),
    _Field("source", "Origin", TEXT, "manual"),
    _Field("externalId", "Customer id of the caller", TEXT, "cliente-1042"),
    _Field("companyId", "Company", TEXT, "emp_0123456789abcdefghijk"),
    _Field("papelNaEmpresa", "Role in the company", TEXT, "decisor"),
    _Field(
        "lastInteractionAt",
        "Last interaction",
        DATE,
        "2026-11-21T12:00:00.000Z",
        "lastInteraction",
        LAST_INTERACTION,
    ),
    _Field("createdAt", "Created at", DATE, "2026-11-21T12:00:00.000Z"),
    _Field("updatedAt", "Updated at", DATE, "2026-11-21T12:00:00.000Z"),
)
REQUIRED = frozenset({"phone"})

INTEGRATED = tuple(
    _Field(f"externalIds.{key}", f"Id in {key}", TEXT, "A-1042", origin=FieldOrigin.INTEGRATION)
    for key in ("integration_a", "integration_b", "integration_c", "integration_d")
)


def further_fields(shape: Hashable, taken: Collection[str]) -> Iterator[_Field]:
    """Keys of a record that are taken at creation, where `STANDARD` says nothing of its own of them."""
    wanted = set(taken) - {field.key for field in STANDARD}
    for key, told in keys_of(shape).items():
        kind = _kind_of(told)
        if kind is not None and key in wanted:
            yield _Field(key, _label_of(key), kind, EXAMPLES[kind])


def _kind_of(key: ShapeKey) -> ContactFieldKind | None:
    """The kind of its values; None for an object."""
    if INSTANT in key.said or DAY in key.said:
        return DATE
    if key.bare == list[str]:
        return LIST
    if not isinstance(key.bare, type):
        return None
    return next((kind for types, kind in KINDS if issubclass(key.bare, types)), None)


# Python's booleans are integers.
KINDS: tuple[tuple[type | tuple[type, ...], ContactFieldKind], ...] = (
    (str, TEXT),
    (bool, ContactFieldKind.BOOLEAN),
    ((int, float), ContactFieldKind.NUMBER),
)


def _label_of(key: str) -> str:
    """A name for people: `favouriteShop` is "Favourite shop"."""
    return re.sub(r"([A-Z])", r" \1", key).capitalize()


TAKEN = {field.alias or name for name, field in NewContact.model_fields.items()}
FIELDS = (*STANDARD, *further_fields(ContactRecord, TAKEN))


async def list_fields(caller: Caller) -> ContactFieldList:
    """Standard fields, the attributes that some contact has had, and ids in integrated
    systems.
    """
    caller.require(Scope.CONTACTS_READ)
    rows = await ContactAttribute.visible_to(caller).order_by("key", "kind").values("key", "kind")
    kinds: dict[str, list[AttributeKind]] = defaultdict(list)
    for row in rows:
        kinds[row["key"]].append(AttributeKind(row["kind"]))
    attributes = [_attribute(key, seen) for key, seen in kinds.items()]
    return {"items": [field.record() for field in (*FIELDS, *attributes, *INTEGRATED)]}


def _attribute(key: str, kinds: Sequence[AttributeKind]) -> _Field:
    """A key that holds values of several kinds is shown as text, with the operators of them all."""
    kind = kinds[0] if len(kinds) == 1 else AttributeKind.TEXT
    operators = list(dict.fromkeys(operator for one in kinds for operator in ATTRIBUTE[one]))
    return _Field(
        key,
        key,
        ContactFieldKind(kind.value),
        EXAMPLES[kind],
        f"attribute.{key}",
        operators,
        FieldOrigin.ATTRIBUTE,
    )
