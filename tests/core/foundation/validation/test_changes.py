"""Partial updates: left out, null and a value are three different things."""

from typing import Annotated

import pytest
from pydantic import Field

from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import Changes, KeptWhenLeftOut, read_body


class SomeChanges(Changes):
    name: KeptWhenLeftOut[str] = None
    counts: KeptWhenLeftOut[Annotated[list[int], Field(max_length=2)]] = None
    note: str | None = None


def test_what_is_left_out_was_not_sent() -> None:
    changes = read_body(SomeChanges, b'{"name":"a"}')

    assert (changes.name, changes.counts, changes.note) == ("a", None, None)
    assert changes.model_fields_set == {"name"}


def test_null_clears_only_what_can_be_empty() -> None:
    assert read_body(SomeChanges, b'{"note":null}').model_fields_set == {"note"}

    with pytest.raises(ValidationFailed) as refusal:
        read_body(SomeChanges, b'{"name":null,"counts":null,"note":null}')

    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/name", "wrong_type"),
        ("/counts", "wrong_type"),
    ]


def test_the_bounds_of_a_kept_field_hold() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(SomeChanges, b'{"counts":[1,2,3]}')

    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/counts", "too_many")
    ]


def test_the_schema_offers_null_only_where_it_clears_and_promises_no_defaults() -> None:
    fields = SomeChanges.model_json_schema()["properties"]

    assert fields["name"] == {"title": "Name", "type": "string"}
    assert fields["counts"] == {
        "items": {"type": "integer"},
        "maxItems": 2,
        "title": "Counts",
        "type": "array",
    }
    assert fields["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Note"}
