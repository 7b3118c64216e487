"""What callers hear of a wrong field is about JSON: pydantic's own codes, and its words about Python, stay inside."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Annotated, Any

import orjson
import pytest
from pydantic import Field
from pydantic_core._pydantic_core import list_all_errors  # the package gives it no public name

import core
from core.conversations.inputs import NewMessage
from core.foundation.errors import ValidationFailed
from core.foundation.field_errors import CODES, MESSAGES
from core.foundation.inputs import Input, QueryInput, read_body

RAISED_BY: dict[str, str] = {
    "model": "model_type model_attributes_type",
    "model-fields": "missing extra_forbidden model_attributes_type",
    "str": "string_type string_unicode string_too_short string_too_long string_pattern_mismatch",
    "int": "int_type int_parsing int_parsing_size int_from_float "
    "greater_than greater_than_equal less_than less_than_equal",
    "float": "float_type float_parsing finite_number greater_than greater_than_equal less_than less_than_equal",
    "bool": "bool_type bool_parsing",
    "list": "list_type too_long too_short",
    "dict": "dict_type too_long too_short",
    "literal": "literal_error",
    "enum": "enum",
    "date": "date_type date_parsing date_from_datetime_parsing date_from_datetime_inexact",
    "datetime": "datetime_type datetime_parsing datetime_object_invalid datetime_from_date_parsing",
    "tagged-union": "union_tag_invalid union_tag_not_found",
}
"""The refusals of pydantic that each kind of schema can end in, of a value that came as JSON or in a query."""

WITHOUT_OWN = {
    "any", "default", "definition-ref", "definitions", "function-after", "function-before", "function-plain",
    "function-wrap", "model-field", "no-info", "nullable", "union", "with-info",
}  # fmt: skip
"""Schemas that pass on what others say, and our own functions."""

OF_PYTHON = re.compile(r"dictionary|instance|attribute|tuple|list|None|\bunicode|object,|class")

TEMPLATES = {error["type"]: error for error in list_all_errors()}


def models(parent: type[Any]) -> Iterator[type[Any]]:
    for model in parent.__subclasses__():
        yield model
        yield from models(model)


def kinds(schema: Any) -> Iterator[str]:
    match schema:
        case {"type": str(kind)}:
            yield kind
    match schema:
        case dict():
            for name, part in schema.items():
                if name not in ("metadata", "default", "serialization"):
                    yield from kinds(part)
        case list() | tuple():
            for part in schema:
                yield from kinds(part)


def test_every_refusal_that_a_body_or_a_query_can_meet_is_known() -> None:
    for module in pkgutil.walk_packages(core.__path__, "core."):
        importlib.import_module(module.name)
    used = {
        kind
        for parent in (Input, QueryInput)
        for model in models(parent)
        for kind in kinds(model.__pydantic_core_schema__)
    }

    assert used - RAISED_BY.keys() - WITHOUT_OWN == set(), "say what this kind of schema raises"


@pytest.mark.parametrize("type", sorted({type for types in RAISED_BY.values() for type in types.split()}))
def test_each_of_them_has_a_code_of_ours_and_no_word_about_python(type: str) -> None:
    assert type in TEMPLATES
    assert type in CODES
    said = MESSAGES.get(type) or TEMPLATES[type]["message_template_python"]
    assert not OF_PYTHON.search(said)


class Sized(Input):
    """An object and an array, neither of which holds two."""

    names: Annotated[dict[str, int], Field(min_length=2, max_length=2)]
    numbers: Annotated[list[int], Field(min_length=2, max_length=2)]


@pytest.mark.parametrize(
    "body", [b'{"names": {}, "numbers": []}', b'{"names": {"a":1,"b":1,"c":1}, "numbers": [1,1,1]}']
)
def test_a_size_is_told_in_the_words_of_json(body: bytes) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(Sized, body)

    said = [error.message for error in refusal.value.errors]
    assert [sentence.split(" should have at ")[0] for sentence in said] == ["An object", "An array"]
    assert not any("after validation" in sentence for sentence in said)


def test_an_object_inside_a_payload_is_not_called_a_dictionary() -> None:
    body = {
        "numberId": "n",
        "to": "+5511987650005",
        "type": "interactive",
        "payload": {"kind": "buttons", "header": []},
    }
    with pytest.raises(ValidationFailed) as refusal:
        read_body(NewMessage, orjson.dumps(body))

    assert {error.where: error.message for error in refusal.value.errors}["/payload/header"] == "Send an object"
