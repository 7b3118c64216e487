"""Free attributes: flat, of a few kinds of values, and not endless."""

import json
from typing import Any

import pytest

from core import contacts
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from tests.factories.contacts import a_contact, a_new_contact

TREE: list[Any] = []
for _ in range(60):
    TREE = [TREE]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x" * 1000,
        "line\nline",
        "\u202e☀️\U0001f600",
        0,
        -1.5,
        1e308,
        2**53 - 1,
        True,
        False,
        None,
        [],
        ["a", ""],
        ["x" * 200] * 50,
    ],
)
async def test_values_come_back_as_they_went_in(caller: Caller, value: Any) -> None:
    made = await a_contact(caller, attributes={"x": value})

    stored = (await contacts.get_contact(caller, made["id"]))["attributes"]["x"]

    assert stored == value
    assert type(stored) is type(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"a": 1}, "wrong_type"),
        ({}, "wrong_type"),
        ([1], "wrong_type"),
        ([["a"]], "wrong_type"),
        ([None], "wrong_type"),
        (TREE, "wrong_type"),
        ("x" * 1001, "too_long"),
        (["x" * 201], "wrong_type"),
        (["x"] * 51, "too_many"),
        (2**53, "too_large"),
        (-(2**60), "too_large"),
        (10**4000, "too_large"),
        ("a\x00", "nul"),
        (["a\x00"], "nul"),
    ],
)
def test_other_values_are_refused(value: Any, code: str) -> None:
    # Not by orjson, which writes no integer beyond 64 bits.
    body = json.dumps({"phone": "11987654321", "attributes": {"x": value}}).encode()

    with pytest.raises(ValidationFailed) as refused:
        read_body(contacts.NewContact, body)

    assert {error.code for error in refused.value.errors} == {code}


@pytest.mark.parametrize(
    ("key", "code"), [("", "too_short"), ("x" * 65, "too_long"), ("a\x00", "nul")]
)
def test_keys_are_short_texts(key: str, code: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        a_new_contact(attributes={key: 1})

    assert {error.code for error in refused.value.errors} == {code}


def test_a_contact_has_at_most_a_hundred() -> None:
    a_new_contact(attributes={f"k{number}": 1 for number in range(100)})

    with pytest.raises(ValidationFailed):
        a_new_contact(attributes={f"k{number}": 1 for number in range(101)})


@pytest.mark.parametrize("key", ["ação", "a.b", "a b", "a'b\"c", "🙂", "__proto__", "x" * 64])
async def test_keys_are_free(caller: Caller, key: str) -> None:
    made = await a_contact(caller, attributes={key: 1})

    assert made["attributes"] == {key: 1}
    assert key in [field["key"] for field in (await contacts.list_fields(caller))["items"]]
