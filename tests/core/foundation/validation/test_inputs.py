"""What callers send: read strictly, refused with every failing field at once, and never repeated
back.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, StringConstraints

from core.foundation.errors import BadRequest, ValidationFailed
from core.foundation.validation.inputs import (
    MAX_ERRORS,
    MAX_INTEGER,
    Changes,
    Input,
    KeptWhenLeftOut,
    Metadata,
    Phone,
    QueryInput,
    SkipPage,
    UtcTime,
    read_body,
    read_query,
)
from core.foundation.validation.json_syntax import NotJson


class Line(Input):
    """One of several."""

    unit_price: Annotated[int, Field(ge=1)]


class Cat(Input):
    kind: Literal["cat"]
    lives: int = 9


class Dog(Input):
    kind: Literal["dog"]


class Everything(Input):
    """A field of every kind that bodies of this service have."""

    text: Annotated[str, StringConstraints(min_length=2, max_length=5)] = "text"
    letters: Annotated[str, StringConstraints(pattern=r"^[a-z]+\z")] = "abc"
    number: int = 1
    share: float = 0.5
    switch: bool = False
    choice: Literal["left", "right"] = "left"
    lines: Annotated[list[Line], Field(min_length=1, max_length=2)] | None = None
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    phone_number: Phone | None = None
    send_at: UtcTime | None = None
    metadata: Metadata | None = None


class Order(Input):
    """A body with a field that must be there."""

    reference: str
    metadata: Metadata | None = None


class Filter(SkipPage):
    """A query of every kind."""

    status: Literal["open", "closed"] | None = None
    contact_id: str | None = None
    from_: UtcTime | None = Field(default=None, alias="from")
    phone: Phone | None = None
    archived: bool = False


def wrong(body: str | bytes, model: type[Input] = Everything) -> list[tuple[str, str]]:
    """The (pointer, code) of every failing field."""
    raw = body.encode() if isinstance(body, str) else body
    with pytest.raises(ValidationFailed) as refused:
        read_body(model, raw)
    assert all(error.kind == "pointer" and error.message for error in refused.value.errors)
    return [(error.where, error.code) for error in refused.value.errors]


def wrong_query(*pairs: tuple[str, str]) -> list[tuple[str, str]]:
    with pytest.raises(ValidationFailed) as refused:
        read_query(Filter, pairs)
    assert all(error.kind == "parameter" and error.message for error in refused.value.errors)
    return [(error.where, error.code) for error in refused.value.errors]


def metadata(text: str) -> Any:
    """The metadata of a body, as it was read."""
    return read_body(Order, b'{"reference": "r", "metadata": ' + text.encode() + b"}").metadata


def wrong_metadata(text: str) -> list[tuple[str, str]]:
    return wrong(f'{{"reference": "r", "metadata": {text}}}', Order)


# Bodies


def test_names_are_spelled_in_camel_case() -> None:
    body = read_body(Everything, b'{"phoneNumber": "11987654321", "lines": [{"unitPrice": 3}]}')

    assert body.phone_number == "+5511987654321"
    assert body.lines == [Line(unit_price=3)]


@pytest.mark.parametrize(
    "name", ["phone_number", "PhoneNumber", "send_at", "model_config", "__class__"]
)
def test_only_the_name_on_the_wire_is_known(name: str) -> None:
    assert wrong(json.dumps({name: "x"})) == [(f"/{name}", "unknown_field")]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ('{"other": 1}', "/other", "unknown_field"),
        ('{"lines": [{"unitPrice": 1, "other": 1}]}', "/lines/0/other", "unknown_field"),
        ('{"lines": [{}]}', "/lines/0/unitPrice", "required"),
        ('{"text": 1}', "/text", "wrong_type"),
        ('{"text": null}', "/text", "wrong_type"),
        ('{"text": ["t"]}', "/text", "wrong_type"),
        ('{"text": "t"}', "/text", "too_short"),
        ('{"text": "too long"}', "/text", "too_long"),
        ('{"letters": "ABC"}', "/letters", "wrong_format"),
        ('{"letters": "abc\\n"}', "/letters", "wrong_format"),
        ('{"number": "1"}', "/number", "wrong_type"),
        ('{"number": 1.0}', "/number", "wrong_type"),
        ('{"number": true}', "/number", "wrong_type"),
        ('{"lines": [{"unitPrice": 0}]}', "/lines/0/unitPrice", "too_small"),
        ('{"share": "0.5"}', "/share", "wrong_type"),
        ('{"share": true}', "/share", "wrong_type"),
        ('{"switch": 1}', "/switch", "wrong_type"),
        ('{"switch": "true"}', "/switch", "wrong_type"),
        ('{"switch": null}', "/switch", "wrong_type"),
        ('{"choice": "up"}', "/choice", "not_allowed"),
        ('{"choice": 1}', "/choice", "not_allowed"),
        ('{"lines": {}}', "/lines", "wrong_type"),
        ('{"lines": []}', "/lines", "too_few"),
        ('{"lines": [{"unitPrice": 1}, {"unitPrice": 1}, {"unitPrice": 1}]}', "/lines", "too_many"),
        ('{"lines": [1]}', "/lines/0", "wrong_type"),
        ('{"pet": {"kind": "fish"}}', "/pet", "not_allowed"),
        ('{"pet": {}}', "/pet", "required"),
        ('{"phoneNumber": "123"}', "/phoneNumber", "invalid_phone"),
        ('{"phoneNumber": "+5511*****4321"}', "/phoneNumber", "VALOR_MASCARADO"),
        ('{"phoneNumber": 5511987654321}', "/phoneNumber", "wrong_type"),
        ('{"sendAt": "0001-01-01T00:00:00+14:00"}', "/sendAt", "out_of_range"),
        ('{"sendAt": "9999-12-31T23:59:59-14:00"}', "/sendAt", "out_of_range"),
        ('{"metadata": []}', "/metadata", "wrong_type"),
        ('{"metadata": "x"}', "/metadata", "wrong_type"),
    ],
)
def test_each_wrong_field_has_its_code(body: str, pointer: str, code: str) -> None:
    assert wrong(body) == [(pointer, code)]


def test_all_failing_fields_are_named_at_once() -> None:
    body = """{"text": "t", "number": "1", "choice": "up", "lines": [{"unitPrice": 1}, {"unitPrice": "2"}],
               "phoneNumber": "123", "metadata": {"ok": 1, "no": [], "a b": 1}, "other": 1}"""

    assert sorted(where for where, _ in wrong(body)) == [
        "/choice", "/lines/1/unitPrice", "/metadata/a b", "/metadata/no", "/number", "/other", "/phoneNumber", "/text",
    ]  # fmt: skip


def test_a_refusal_names_so_many_faults_and_no_more() -> None:
    body = json.dumps({f"unknown{number}": 1 for number in range(60_000)})

    assert len(wrong(body)) == MAX_ERRORS


@pytest.mark.parametrize(
    ("name", "pointer"),
    [
        ("a/b", "/a~1b"),
        ("a~b", "/a~0b"),
        ("a~1b", "/a~01b"),
        ("~/", "/~0~1"),
        ("", "/"),
        (" ", "/ "),
        ("é", "/é"),
        ("0", "/0"),
        ("[key]", "/[key]"),
    ],
)
def test_pointers_are_escaped(name: str, pointer: str) -> None:
    assert wrong(json.dumps({name: 1})) == [(pointer, "unknown_field")]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"{",
        b'{"text": "tex',
        b'{"text": "text"} {}',
        b'{"text": "text",}',
        b"{'text': 'text'}",
        b"{text: 1}",
        b"\xef\xbb\xbf{}",
        '{"text": "text"}'.encode("utf-16"),
        b'{"text": "\xff\xfe"}',
        b'{"text": "\xc3"}',
        b'{"text": "\xed\xa0\x80"}',
        b'{"text": "\\ud800"}',
        b'{"text": "\\udc00x"}',
        b'{"text": "a\x00b"}',
        b'{"text": "a\nb"}',
        b'{"text": "\\x"}',
        b'{"\xff": 1}',
        b"\x00",
        b'{"other": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"number": ' + b"9" * 5_000 + b"}",
        b'{"number": 01}',
        b'{"number": +1}',
        b'{"number": .5}',
        b'{"number": 1e}',
    ],
)
def test_what_is_not_json_in_utf_8_is_a_bad_request(raw: bytes) -> None:
    with pytest.raises(NotJson) as refused:
        read_body(Everything, raw)

    assert not isinstance(refused.value, ValidationFailed)
    assert refused.value.errors == ()


@pytest.mark.parametrize("raw", [b"null", b"true", b"1", b'"text"', b"[]", b'[{"text": "text"}]'])
def test_json_that_is_no_object_is_refused_as_a_whole(raw: bytes) -> None:
    assert wrong(raw) == [("", "wrong_type")]


def test_of_a_repeated_name_the_last_counts() -> None:
    assert read_body(Order, b'{"reference": "first", "reference": "last"}').reference == "last"
    assert wrong('{"reference": "first", "reference": 1}', Order) == [("/reference", "wrong_type")]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_a_number_that_is_none_is_no_integer(number: str) -> None:
    assert [where for where, _ in wrong(f'{{"number": {number}}}')] == ["/number"]


def test_an_input_cannot_be_changed_once_read() -> None:
    order = read_body(Order, b'{"reference": "r"}')

    with pytest.raises(ValueError, match="frozen"):
        order.reference = "other"  # type: ignore[misc]
    assert order.reference == "r"


# Changes


class OrderChanges(Changes):
    """A partial update."""

    reference: KeptWhenLeftOut[Annotated[str, StringConstraints(min_length=2)]] = None
    note: str | None = None


def test_what_is_left_out_of_changes_is_told_apart_from_what_is_cleared() -> None:
    nothing = read_body(OrderChanges, b"{}")
    cleared = read_body(OrderChanges, b'{"note": null}')

    assert (nothing.model_fields_set, nothing.note, nothing.reference) == (set(), None, None)
    assert (cleared.model_fields_set, cleared.note) == ({"note"}, None)


def test_what_cannot_be_cleared_refuses_a_null() -> None:
    assert wrong('{"reference": null}', OrderChanges) == [("/reference", "wrong_type")]
    assert wrong('{"reference": "r"}', OrderChanges) == [("/reference", "too_short")]
    assert read_body(OrderChanges, b'{"reference": "rr"}').reference == "rr"


# NUL


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ('{"reference": "\\u0000"}', [("/reference", "nul")]),
        ('{"reference": "a\\u0000b", "metadata": {"k": "\\u0000"}}', [("/reference", "nul"), ("/metadata/k", "nul")]),
        ('{"reference": "r", "metadata": {"a\\u0000": 1}}', [("/metadata/a\x00", "wrong_format")]),
        ('{"reference": "\\u0000", "metadata": {"k": []}}', [("/metadata/k", "wrong_type"), ("/reference", "nul")]),
        ('{"reference": "\\u0000", "other": NaN}', [("/other", "unknown_field"), ("/reference", "nul")]),
        ('{"reference": 1, "other\\u0000": 1}', [("/reference", "wrong_type"), ("/other\x00", "unknown_field")]),
    ],
)  # fmt: skip
def test_every_text_with_a_nul_is_named(body: str, errors: list[tuple[str, str]]) -> None:
    assert wrong(body, Order) == errors


def test_a_nul_is_found_beside_a_number_that_only_this_parser_reads() -> None:
    assert wrong('{"share": NaN, "text": "a\\u0000b"}') == [("/text", "nul")]


def test_an_escaped_backslash_before_u0000_is_no_nul() -> None:
    assert read_body(Order, b'{"reference": "\\\\u0000"}').reference == "\\u0000"


# Metadata


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x" * 256,
        "é" * 256,
        True,
        False,
        0,
        -1,
        MAX_INTEGER,
        -MAX_INTEGER,
        0.5,
        -1e300,
        5e-324,
    ],
)
def test_metadata_holds_texts_numbers_and_booleans_as_they_are(value: object) -> None:
    read = metadata(json.dumps({"k": value}))

    assert read == {"k": value}
    assert type(read["k"]) is type(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("null", "wrong_type"),
        ("[]", "wrong_type"),
        ("[1]", "wrong_type"),
        ("{}", "wrong_type"),
        ('"' + "x" * 257 + '"', "too_long"),
        (str(MAX_INTEGER + 1), "too_large"),
        (str(-MAX_INTEGER - 1), "too_large"),
        ("1" + "0" * 100, "too_large"),
        ("NaN", "not_finite"),
        ("Infinity", "not_finite"),
        ("-Infinity", "not_finite"),
        ("1e400", "not_finite"),
    ],
)
def test_metadata_refuses_other_values(value: str, code: str) -> None:
    assert wrong_metadata(f'{{"k": {value}}}') == [("/metadata/k", code)]


@pytest.mark.parametrize(
    "key", ["a", "A", "orderId", "order_id", "order.id", "order-id", "a1", "k" * 64]
)
def test_metadata_keys_are_names(key: str) -> None:
    assert metadata(json.dumps({key: 1})) == {key: 1}


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("", "wrong_format"),
        ("1a", "wrong_format"),
        ("_a", "wrong_format"),
        ("a b", "wrong_format"),
        (" a", "wrong_format"),
        ("a ", "wrong_format"),
        ("a\n", "wrong_format"),
        ("\na", "wrong_format"),
        ("é", "wrong_format"),
        ("aé", "wrong_format"),
        ("a\u0660", "wrong_format"),
        ("a/b", "wrong_format"),
        ("$a", "wrong_format"),
        ("[key]", "wrong_format"),
        ("k" * 65, "too_long"),
    ],
)
def test_metadata_refuses_other_keys_and_points_at_them(key: str, code: str) -> None:
    escaped = key.replace("~", "~0").replace("/", "~1")

    assert wrong_metadata(json.dumps({key: 1})) == [(f"/metadata/{escaped}", code)]


def test_metadata_holds_20_keys_at_most() -> None:
    keys = {f"k{n}": n for n in range(20)}

    assert metadata(json.dumps(keys)) == keys
    assert wrong_metadata(json.dumps({**keys, "k20": 20})) == [("/metadata", "too_many")]


# Times


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05.678901Z", datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)),
        ("2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T00:04:05-03:00", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T23:59:59+14:00", datetime(2026, 1, 2, 9, 59, 59, tzinfo=UTC)),
        # As an address shows a plus that nobody escaped.
        ("2026-01-02T03:04:05.678 00:00", datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)),
        ("2026-01-02T04:04:05 0100", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
    ],
)
def test_an_instant_without_a_zone_is_utc_and_all_are_kept_in_utc(
    text: str, instant: datetime
) -> None:
    read = read_body(Everything, json.dumps({"sendAt": text}).encode()).send_at

    assert read == instant
    assert read is not None
    assert read.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "NaN", "\x00", "é"]
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    assert wrong(json.dumps({"sendAt": text})) == [("/sendAt", "wrong_format")]


# Queries


def test_a_query_is_read_from_text_and_unknown_names_are_ignored() -> None:
    read = read_query(
        Filter,
        [
            ("status", "open"),
            ("contactId", "cnt_1"),
            ("limit", "7"),
            ("archived", "true"),
            ("other", "x"),
            ("", ""),
        ],
    )

    assert (read.status, read.contact_id, read.limit, read.skip, read.archived) == (
        "open",
        "cnt_1",
        7,
        0,
        True,
    )


def test_of_a_repeated_parameter_the_last_counts() -> None:
    assert read_query(Filter, [("limit", "no number"), ("limit", "7")]).limit == 7
    assert [where for where, _ in wrong_query(("limit", "7"), ("limit", "no number"))] == ["limit"]


@pytest.mark.parametrize("name", ["contact_id", "from_"])
def test_a_parameter_is_known_by_its_name_on_the_wire_only(name: str) -> None:
    assert read_query(Filter, [(name, "2026-01-01\x00")]) == Filter()


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("status", "other", "not_allowed"),
        ("status", "", "not_allowed"),
        ("limit", "0", "too_small"),
        ("limit", "-1", "too_small"),
        ("limit", "1.5", "wrong_type"),
        ("limit", "ten", "wrong_type"),
        ("limit", "", "wrong_type"),
        ("limit", "9" * 5_000, "too_large"),
        ("limit", "NaN", "wrong_type"),
        ("limit", "0x10", "wrong_type"),
        ("skip", "-1", "too_small"),
        ("skip", str(2**53), "too_large"),
        ("skip", "1e3", "wrong_type"),
        ("from", "yesterday", "wrong_format"),
        ("from", "2026", "wrong_format"),
        ("from", "1700000000", "wrong_format"),
        ("from", "2026-13-01", "wrong_format"),
        ("from", "0001-01-01T00:00:00+14:00", "out_of_range"),
        ("phone", "123", "invalid_phone"),
        ("phone", "+5511*****4321", "VALOR_MASCARADO"),
        ("archived", "perhaps", "wrong_type"),
    ],
)
def test_a_wrong_parameter_is_named(name: str, value: str, code: str) -> None:
    assert wrong_query((name, value)) == [(name, code)]


def test_all_wrong_parameters_are_named_at_once() -> None:
    named = {
        where
        for where, _ in wrong_query(
            ("status", "x"), ("limit", "x"), ("from", "x"), ("cursor", "fine")
        )
    }

    assert named == {"status", "limit", "from"}


def test_a_nul_in_a_parameter_is_refused_and_ignored_in_one_we_do_not_know() -> None:
    assert wrong_query(("contactId", "a\x00"), ("cursor", "\x00")) == [
        ("contactId", "nul"),
        ("cursor", "nul"),
    ]
    assert read_query(Filter, [("other", "\x00"), ("o\x00ther", "")]) == Filter()


# What is said


def outcome(reader: Callable[..., object], *arguments: object) -> str:
    """What a caller is told, or that all was well; anything but a refusal is a fault."""
    try:
        reader(*arguments)
    except (ValidationFailed, BadRequest) as refused:
        return " ".join([refused.detail, *(error.message for error in refused.errors)])
    return "read"


SECRET = "s3cr3t"


@pytest.mark.parametrize("field", [*Everything.model_fields])
@pytest.mark.parametrize(
    "value", [SECRET, [SECRET], {"kind": SECRET}, {"k": [SECRET]}, {SECRET: {}}]
)
def test_a_refusal_never_repeats_a_value(field: str, value: object) -> None:
    alias = Everything.model_fields[field].alias

    assert SECRET not in outcome(read_body, Everything, json.dumps({alias: value}).encode())


@pytest.mark.parametrize("name", ["status", "limit", "skip", "from", "phone", "archived"])
def test_a_refused_parameter_is_not_repeated(name: str) -> None:
    said = outcome(read_query, Filter, [(name, SECRET)])

    assert said != "read"
    assert SECRET not in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8,
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from([str(f.alias) for f in Everything.model_fields.values()]) | st.text(), JSON
    )
)
def test_no_json_breaks_the_reader(body: dict[str, Any]) -> None:
    assert outcome(read_body, Everything, json.dumps(body).encode())


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    assert outcome(read_body, Everything, raw)


@given(
    st.dictionaries(
        st.sampled_from([str(f.alias) for f in Filter.model_fields.values()]) | st.text(), st.text()
    )
)
def test_no_query_breaks_the_reader(values: dict[str, str]) -> None:
    assert outcome(read_query, Filter, values.items())


def test_queries_know_the_limits_of_a_page() -> None:
    assert issubclass(SkipPage, QueryInput)
    assert read_query(SkipPage, []) == SkipPage(limit=None, skip=0, cursor=None)
    assert read_query(SkipPage, [("limit", "1000000"), ("skip", str(2**53 - 1))]).limit == 1_000_000
