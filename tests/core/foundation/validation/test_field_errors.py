"""What callers hear of a wrong field is about JSON: pydantic's own codes, and its words about
Python, stay inside.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import orjson
import pytest
from pydantic import Field, StringConstraints, TypeAdapter
from pydantic_core import ErrorDetails, PydanticKnownError, ValidationError
from pydantic_core._pydantic_core import list_all_errors  # the package gives it no public name

import core
from core.conversations.inputs import NewMessage
from core.foundation.errors import ValidationFailed
from core.foundation.language import has_translation
from core.foundation.validation.field_messages import (
    CLOCK,
    MAX_COMPARED,
    METADATA_KEY,
    NOT_ALLOWED,
    UNKNOWN_FIELD,
    WITHOUT_KIND,
    WORDS,
    none_of,
    unknown_field,
    worded,
)
from core.foundation.validation.inputs import ByItsPlace, Input, QueryInput, read_body
from core.foundation.validation.nearest import same_as
from rest_api.problems.field_codes import FIELD_CODES

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
"""The refusals of pydantic that each kind of schema can end in, of a value that came as JSON or in
a query.
"""

WITHOUT_OWN = {
    "any", "default", "definition-ref", "definitions", "function-after", "function-before", "function-plain",
    "function-wrap", "model-field", "no-info", "nullable", "union", "with-info",
}  # fmt: skip
"""Schemas that pass on what others say, and our own functions."""

PYDANTIC = re.compile(
    r"Input should|should (be|have)|Value error|Extra inputs|Field required|items? after|valid string"
)

TEMPLATES: dict[str, Any] = {error["type"]: error for error in list_all_errors()}


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


@pytest.mark.parametrize(
    "type", sorted({type for types in RAISED_BY.values() for type in types.split()})
)
def test_each_of_them_has_a_code_and_a_sentence_of_its_own(type: str) -> None:
    assert type in WORDS


@pytest.mark.parametrize("type", sorted(TEMPLATES))
def test_whatever_pydantic_finds_is_told_in_our_words(type: str) -> None:
    facts = {**(TEMPLATES[type]["example_context"] or {}), "error": "x"}
    theirs = PydanticKnownError(type, facts).message()  # type: ignore[arg-type]

    code, sentence = worded(ErrorDetails(type=type, loc=("a",), msg=theirs, input=None, ctx=facts))

    assert sentence != theirs
    assert code in FIELD_CODES
    assert has_translation(sentence)
    assert not PYDANTIC.search(sentence)


def test_what_we_find_ourselves_is_told_as_it_was_raised() -> None:
    ours = ErrorDetails(type="too_long", loc=("a",), msg="Send at most 3 of them", input=None)

    assert worded(ours) == ("too_long", "Send at most 3 of them")


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

    assert {error.message.replace("least", "most") for error in refusal.value.errors} == {
        "Send at most 2 entries"
    }


def test_an_object_inside_a_payload_is_not_called_a_dictionary() -> None:
    body = {
        "numberId": "n",
        "to": "+5511987650005",
        "type": "interactive",
        "payload": {"kind": "buttons", "header": []},
    }
    with pytest.raises(ValidationFailed) as refusal:
        read_body(NewMessage, orjson.dumps(body))

    assert {error.where: error.message for error in refusal.value.errors}[
        "/payload/header"
    ] == "Send an object"


class Known(Input):
    """What is misspelt in the bodies below."""

    event: Literal["sms.delivered", "sms.failed"]
    inner: list["Inner"] = []


class Inner(Input):
    """An object within."""

    external_id: str = ""


def faults_of(body: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(Known, orjson.dumps(body))
    return {error.where: error.message for error in refusal.value.errors}


def test_what_was_probably_meant_is_told_and_never_what_was_sent() -> None:
    assert faults_of({"event": "sms.delivred", "evento": 1, "inner": [{"externalID": "x"}]}) == {
        "/event": "Send one of: sms.delivered, sms.failed; did you mean sms.delivered?",
        "/evento": "This operation knows no such field; did you mean event?",
        "/inner/0/externalID": "This operation knows no such field; did you mean externalId?",
    }


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("telefone", ("phone", "name"), "phone"),
        ("number", ("to", "body", "route"), "to"),
        ("message", ("to", "body", "route"), "body"),
        ("steps", ("passos", "gatilho"), "passos"),
        ("dry_run", ("simular",), "simular"),
        ("value", ("quantidade", "valor"), "valor"),
        ("amount", ("quantidade", "valor"), None),
        ("phone", ("name",), None),
    ],
)
def test_another_word_for_the_same_is_told_where_it_can_mean_one_thing(
    name: str, known: tuple[str, ...], meant: str | None
) -> None:
    assert same_as(name, known) == meant


def test_what_was_sent_is_never_what_was_meant() -> None:
    """A field of another kind of the object stands among the known ones, too."""
    assert unknown_field("body", {"body", "header"}) == UNKNOWN_FIELD
    assert unknown_field("body", {"body", "header", "text"}).endswith("did you mean text?")


class Bell(Input):
    """One kind of a union."""

    kind: Literal["sino"] = Field(alias="tipo")
    toques: int = 1


class Whistle(Input):
    """The other."""

    kind: Literal["apito"] = Field(alias="tipo")


class Signal(Input):
    """What takes either."""

    sinais: list[Annotated[Bell | Whistle, Field(discriminator="kind"), ByItsPlace]]


def test_faults_of_a_union_stand_at_their_field() -> None:
    body = {"sinais": [{"tipo": "sinno"}, {}, {"tipo": "sino", "toque": 2}]}
    with pytest.raises(ValidationFailed) as refusal:
        read_body(Signal, orjson.dumps(body))

    assert [(error.where, error.code, error.message) for error in refusal.value.errors] == [
        ("/sinais/0/tipo", "not_allowed", "Send one of: sino, apito; did you mean sino?"),
        ("/sinais/1/tipo", "required", WITHOUT_KIND),
        ("/sinais/2/toque", "unknown_field", f"{UNKNOWN_FIELD}; did you mean toques?"),
    ]


def test_what_is_like_nothing_is_told_without_a_guess() -> None:
    assert faults_of({"event": "x" * 10_000, "zzzzzz": 1}) == {
        "/event": "Send one of: sms.delivered, sms.failed",
        "/zzzzzz": "This operation knows no such field",
    }


def test_a_long_list_of_values_is_not_told_in_full() -> None:
    known = [f"value{number}" for number in range(21)]

    assert none_of(known, "valeu7") == "This is none of the allowed values; did you mean value7?"
    assert none_of(known, 7) == "This is none of the allowed values; the documentation lists them"


def test_of_a_long_list_the_family_of_the_value_is_told() -> None:
    known = ["message.sent", *(f"value{number}" for number in range(21)), "sms.read", "sms.failed"]
    said = "This is none of the allowed values; of this kind there are: sms.read, sms.failed"

    assert none_of(known, "sms.sent") == said
    assert none_of(known, "sms.fail").endswith("did you mean sms.failed?")
    assert none_of([f"sms.{number}" for number in range(21)], "sms.sent") == NOT_ALLOWED


def test_only_the_first_faults_of_a_body_are_compared() -> None:
    many = {"event": "sms.failed", **{f"innerr{number}": 1 for number in range(400)}}

    assert sum("did you mean" in said for said in faults_of(many).values()) <= MAX_COMPARED


def test_a_bound_that_is_whole_is_told_without_a_point() -> None:
    class Priced(Input):
        valor: float = Field(ge=0, le=1_000_000_000_000)
        share: float = Field(default=0, le=0.5)

    with pytest.raises(ValidationFailed) as refused:
        read_body(Priced, b'{"valor": -1, "share": 1}')
    assert [error.message for error in refused.value.errors] == [
        "Send 0 or more",
        "Send 0.5 or less",
    ]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"^[a-z0-9_]+$", "Use only these characters: a-z 0-9 _"),
        (r"^[A-Za-z0-9._-]{3,15}$", "Use 3 to 15 of these characters: A-Z a-z 0-9 . _ -"),
        (r"^[A-Z ._-]{1,15}$", "Use 1 to 15 of these characters, or spaces: A-Z . _ -"),
        (METADATA_KEY, "A key begins with a letter; letters, digits, _ . and - may follow"),
        (CLOCK, "Write the hour as HH:MM, such as 22:00"),
        (r"^https://.+$", "The text does not have the form that the documentation gives"),
    ],
)
def test_which_characters_a_text_takes_is_told(pattern: str, said: str) -> None:
    text = TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])

    with pytest.raises(ValidationError) as invalid:
        text.validate_python("É")

    assert worded(invalid.value.errors()[0]) == ("wrong_format", said)
