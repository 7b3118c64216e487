"""The JSON body of an upload, cut anywhere."""

import base64
import json
import random
from typing import Any

import pytest

from core.foundation.errors import BadRequest, PayloadTooLarge, ServiceError, ValidationFailed
from core.media import NewMedia
from rest_api.media import base64_text
from rest_api.media.scanner import Scanner

CONTENT = bytes(range(256)) * 3
ENCODED = base64.b64encode(CONTENT).decode()
BESIDE = {"filename": 'a "b" \\ é.pdf', "mimeType": "application/pdf"}


def scan(body: bytes, *, step: int = 10**9) -> tuple[NewMedia, bytes]:
    """The body in pieces of so many bytes."""
    scanner = Scanner()
    content = b"".join([scanner.feed(body[at : at + step]) for at in range(0, len(body), step)])
    return scanner.finish(), content


def refusal_of(body: bytes, *, step: int = 7) -> ServiceError:
    with pytest.raises((BadRequest, ValidationFailed)) as raised:
        scan(body, step=step)
    return raised.value


def named(error: ServiceError) -> list[tuple[str, str]]:
    return sorted((one.where, one.code) for one in error.errors)


def with_data(text: str) -> bytes:
    return b'{"filename": "a", "mimeType": "a/b", "dataBase64": "' + text.encode() + b'"}'


@pytest.mark.parametrize("step", [1, 2, 3, 5, 64, 10**9])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_fields_come_in_any_order_and_are_cut_anywhere(step: int, ascii_only: bool) -> None:
    fields: dict[str, Any] = {**BESIDE, "dataBase64": ENCODED}
    for order in (list(fields), list(reversed(fields)), ["mimeType", "dataBase64", "filename"]):
        body = json.dumps(
            {name: fields[name] for name in order}, ensure_ascii=ascii_only, indent=2
        ).encode()
        new, content = scan(body, step=step)
        assert content == CONTENT
        assert (new.filename, new.mime_type) == (BESIDE["filename"], BESIDE["mimeType"])


@pytest.mark.parametrize("step", [1, 3, 7, 10**9])
@pytest.mark.parametrize(
    "written",
    [
        "\\r\\n".join(ENCODED[at : at + 76] for at in range(0, len(ENCODED), 76)),
        "\\n".join(ENCODED[at : at + 76] for at in range(0, len(ENCODED), 76)),
        "\n".join(ENCODED[at : at + 76] for at in range(0, len(ENCODED), 76)),
        " \\t".join(ENCODED) + "\\u0020\\u000a",
        ENCODED.replace("/", "\\/").replace("+", "\\u002B"),
        "".join(f"\\u{ord(letter):04x}" for letter in ENCODED),
    ],
)
def test_white_space_and_the_escapes_of_json_do_not_matter(step: int, written: str) -> None:
    assert scan(with_data(written), step=step)[1] == CONTENT


def test_every_length_comes_out_as_it_went_in() -> None:
    drawn = random.Random(9)
    for length in range(1, 40):
        content = drawn.randbytes(length)
        assert (
            scan(with_data(base64.b64encode(content).decode()), step=drawn.randint(1, 9))[1]
            == content
        )


def test_the_name_of_the_field_may_be_escaped_and_stand_elsewhere_too() -> None:
    body = b'{"data\\u0042ase64": "AAAA", "filename": "dataBase64", "mimeType": "a/b"}'
    assert scan(body, step=1)[1] == b"\0\0\0"

    nested = b'{"x": {"dataBase64": "AAAA"}, "y": ["dataBase64", "AAAA"]}'
    assert named(refusal_of(nested)) == [
        ("/dataBase64", "required"),
        ("/filename", "required"),
        ("/mimeType", "required"),
        ("/x", "unknown_field"),
        ("/y", "unknown_field"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "A",
            "AA",
            "AAA",
            "AAAAA",
            "AA=",
            "A===",
            "====",
            "AA==AAAA",
            "AA==AA==",
            "AA==A",
            "AAA*",
            "AA-_",
            "AAéA",
        ),
        *(
            "AA\\\\AA",
            "AAA\\\\nA",
            'AA\\"AA',
            "AAAA\\",
            "AA\\bAA",
            "AA\\u00e9A",
            "AA\\u005cnA",
            "data:a/b;base64,AAAA",
        ),
    ],
)
@pytest.mark.parametrize("step", [1, 4, 10**9])
def test_what_is_no_base64_is_named(text: str, step: int) -> None:
    assert named(refusal_of(with_data(text), step=step)) == [("/dataBase64", "wrong_format")]


def test_a_file_without_bytes_is_named() -> None:
    for text in ("", " \\n "):
        assert named(refusal_of(with_data(text))) == [("/dataBase64", "too_short")]


@pytest.mark.parametrize("name", ["filename", "mimeType", "dataBase64"])
def test_a_field_that_comes_twice_is_named(name: str) -> None:
    body = (
        b'{"filename": "a", "mimeType": "a/b", "dataBase64": "AAAA", "%s": "AAAA"}' % name.encode()
    )
    assert named(refusal_of(body)) == [(f"/{name}", "repeated")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"dataBase64": "AAAA',
        b'{"dataBase64": "AAAA"',
        b'{"dataBase64": "AAAA" "filename": "a"}',
        b'{"dataBase64": "AAAA"}}',
        b'{"dataBase64" "AAAA"}',
        b'{dataBase64: "AAAA"}',
        b'{"dataBase64": "AAAA"} x',
        b'{"filename": "a\xff", "mimeType": "a/b", "dataBase64": "AAAA"}',
        b'{"filename": "a\n", "mimeType": "a/b", "dataBase64": "AAAA"}',
    ],
)
def test_what_is_no_json_is_unreadable_as_a_whole(body: bytes) -> None:
    error = refusal_of(body)
    assert isinstance(error, BadRequest)
    assert error.errors == ()


def test_fields_of_the_wrong_type_are_named_at_once() -> None:
    body = b'{"filename": 5, "mimeType": ["a/b", {"c": "}"}], "dataBase64": {"dataBase64": "AAAA"}}'
    assert named(refusal_of(body)) == [
        ("/dataBase64", "wrong_type"),
        ("/filename", "wrong_type"),
        ("/mimeType", "wrong_type"),
    ]


def test_more_characters_than_allowed_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert base64_text.MAX_CHARACTERS == 140_000_000
    monkeypatch.setattr(base64_text, "MAX_CHARACTERS", 8)

    assert scan(with_data("AAAA\\r\\n  AAAA"), step=3)[1] == bytes(6)
    with pytest.raises(PayloadTooLarge):
        scan(with_data("AAAAAAAAA"), step=3)


def test_what_stands_around_the_file_has_a_limit() -> None:
    with pytest.raises(PayloadTooLarge):
        scan(b'{"filename": "' + b"a" * 70_000, step=1_000)
    with pytest.raises(PayloadTooLarge):
        scan(b" " * 70_000, step=1_000)
