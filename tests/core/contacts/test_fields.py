"""The fields that contacts have, for those who build filters, imports and templates."""

from typing import Annotated, Any, NotRequired, TypedDict, get_type_hints

import orjson
import pytest

from core import contacts
from core.contacts.fields import further_fields
from core.foundation.errors import Forbidden
from core.foundation.records import Day, Doc
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.segments import NewSegment
from tests.core.contacts.conftest import strangers
from tests.factories.contacts import a_contact, changed_contact
from tests.factories.organizations import a_caller


async def fields(caller: Caller) -> dict[str, Any]:
    return {field["key"]: field for field in (await contacts.list_fields(caller))["items"]}


async def test_every_field_tells_what_it_is(caller: Caller) -> None:
    listed = await contacts.list_fields(caller)

    assert set(listed) == {"items"}
    for field in listed["items"]:
        assert {
            "key",
            "label",
            "tipo",
            "origem",
            "filtravel",
            "operadores",
            "obrigatorio",
            "exemplo",
        } <= set(field)
        assert field["tipo"] in {"texto", "numero", "booleano", "data", "lista"}
        assert field["filtravel"] == bool(field["operadores"]) == ("campo" in field)
    assert [field["key"] for field in listed["items"] if field["obrigatorio"]] == ["phone"]


async def test_what_can_be_sent_at_creation_is_a_field(caller: Caller) -> None:
    sent = {field.alias or name for name, field in contacts.NewContact.model_fields.items()}

    assert sent - set(await fields(caller)) == {
        "attributes",
        "debtorGroups",
        "externalIds",
        "optIn",
    }


class _Record(TypedDict):
    phone: str
    favouriteShop: str
    role: contacts.CompanyRole
    children: NotRequired[int]
    isVip: bool
    hobbies: list[str]
    birthday: NotRequired[Day]
    home: Annotated[dict[str, str], Doc("An object is none")]
    createdBy: str


def test_a_field_that_nobody_lists_is_listed_all_the_same() -> None:
    """What is declared for the record and for creation: with its kind, a label and an example."""
    found = {
        field.key: (field.label, field.kind, field.example)
        for field in further_fields(_Record, set(get_type_hints(_Record)) - {"createdBy"})
    }

    assert found == {
        "favouriteShop": ("Favourite shop", "texto", "texto"),
        "role": ("Role", "texto", "texto"),
        "children": ("Children", "numero", 42),
        "isVip": ("Is vip", "booleano", True),
        "hobbies": ("Hobbies", "lista", ["primeiro", "segundo"]),
        "birthday": ("Birthday", "data", "2026-11-21T12:00:00.000Z"),
    }


async def test_ids_in_integrated_systems_are_fields(caller: Caller) -> None:
    integrated = [
        key for key, field in (await fields(caller)).items() if field["origem"] == "integracao"
    ]

    assert integrated == [f"externalIds.integration_{letter}" for letter in "abcd"]


@pytest.mark.parametrize(
    ("value", "kind", "operator"),
    [
        ("Recife", "texto", "startsWith"),
        (3, "numero", "between"),
        (1.5, "numero", "gte"),
        (True, "booleano", "is"),
        (["a"], "lista", "contains"),
    ],
)
async def test_an_attribute_that_some_contact_has_is_a_field_of_its_kind(
    caller: Caller, value: Any, kind: str, operator: str
) -> None:
    await a_contact(caller, attributes={"x": value})

    field = (await fields(caller))["x"]

    assert (field["tipo"], field["origem"], field["campo"]) == (kind, "atributo", "attribute.x")
    assert operator in field["operadores"]


async def test_the_example_is_never_a_value_of_a_contact(caller: Caller) -> None:
    await a_contact(caller, attributes={"x": "a secret"})

    assert "a secret" not in str(await fields(caller))


async def test_a_key_with_values_of_several_kinds_has_the_operators_of_all(caller: Caller) -> None:
    made = await a_contact(caller, attributes={"x": 1})
    await changed_contact(caller, made["id"], attributesMesclar={"x": "one"})

    field = (await fields(caller))["x"]

    assert field["tipo"] == "texto"
    assert {"startsWith", "gt"} <= set(field["operadores"])
    assert len(set(field["operadores"])) == len(field["operadores"])


async def test_a_key_that_only_held_null_is_no_field(caller: Caller) -> None:
    await a_contact(caller, attributes={"x": None})

    assert "x" not in await fields(caller)


async def test_attributes_of_others_are_not_told(caller: Caller) -> None:
    for stranger in await strangers(caller):
        await a_contact(stranger, attributes={"theirs": 1})

    assert "theirs" not in await fields(caller)


async def test_without_the_scope_nothing_is_told(clean_slate: None) -> None:
    with pytest.raises(Forbidden):
        await contacts.list_fields(await a_caller(scopes=frozenset({Scope.CONTACTS_WRITE})))


VALUES: dict[str, Any] = {
    "in": ["x"], "notIn": ["x"], "between": [1, 2], "withinDays": 3, "notWithinDays": 3, "gt": 1, "gte": 1, "lt": 1,
    "lte": 1, "before": "2026-01-01T00:00:00Z", "after": "2026-01-01T00:00:00Z",
}  # fmt: skip


async def test_segments_take_every_operator_that_is_told(caller: Caller) -> None:
    await a_contact(caller, attributes={"text": "x", "number": 1, "list": ["x"]})
    plain = {"optIn": "granted", "channel": "sms"}

    for field in (await fields(caller)).values():
        for operator in field["operadores"]:
            value = VALUES.get(operator, plain.get(field["campo"], "x"))
            if field["campo"] in plain and operator == "in":
                value = [plain[field["campo"]]]
            leaf = {"field": field["campo"], "operator": operator, "value": value}
            if operator in ("exists", "notExists"):
                del leaf["value"]
            read_body(NewSegment, orjson.dumps({"name": "S", "filters": [leaf]}))
