"""POST /v2/sms/messages with what it cannot take: a clear problem, and nothing stored.

What every body with a border is asked (types, lengths, unknown and missing fields) stands in
tests/contract.
"""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.support.stored import nothing_stored

PATH = "/v2/sms/messages"
GOOD = {"to": "+5521973240005", "body": "Hello", "route": "premium"}
SECRET = "SEGREDO-4711"
"""Stands for any value: it must never come back."""


async def refused(
    rest: httpx.AsyncClient,
    content: bytes | AsyncIterator[bytes],
    status: int,
    *,
    key: str | None = "k",
) -> dict[str, Any]:
    """The problem that a body (and an Idempotency-Key) gets; nothing is stored meanwhile."""
    headers = {"Authorization": f"Bearer {await a_key()}", "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    async with nothing_stored():
        answer = await rest.post(PATH, content=content, headers=headers)
    must_not_hold(answer, [SECRET, "7324", *([key] if key and len(key) > 3 else [])])
    return the_problem(answer, status)


async def fields_of(rest: httpx.AsyncClient, body: Any) -> list[tuple[str, str, str]]:
    """What is wrong with a readable body."""
    return wrong_fields(await refused(rest, json.dumps(body).encode(), 422))


# The header ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["chave-é".encode(), "chave-é".encode("latin-1"), b"\xff\xfe"])
async def test_an_idempotency_key_in_another_alphabet_is_refused(
    rest: httpx.AsyncClient, key: bytes
) -> None:
    headers = [(b"Authorization", f"Bearer {await a_key()}".encode()), (b"Idempotency-Key", key)]
    async with nothing_stored():
        answer = await rest.post(PATH, json=GOOD, headers=headers)

    assert wrong_fields(the_problem(answer, 400)) == [("header", "Idempotency-Key", "wrong_format")]


@pytest.mark.parametrize("key", [" ~!#", "b6f1c7de-0b5d-4d5c-9a43-1f0a6d8b1f11"])
async def test_any_printable_key_is_taken(rest: httpx.AsyncClient, key: str) -> None:
    headers = {"Authorization": f"Bearer {await a_key()}", "Idempotency-Key": key}

    assert (await rest.post(PATH, json=GOOD, headers=headers)).status_code == 201


@pytest.mark.parametrize("content", [b"{", b"{}"])
async def test_the_header_is_judged_before_the_body(
    rest: httpx.AsyncClient, content: bytes
) -> None:
    for key in (None, "é" * 3):
        headers = [(b"Authorization", f"Bearer {await a_key()}".encode())]
        if key is not None:
            headers.append((b"Idempotency-Key", key.encode()))
        answer = await rest.post(PATH, content=content, headers=headers)
        assert [kind for kind, _, _ in wrong_fields(the_problem(answer, 400))] == ["header"]


# Unreadable bodies --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"{]",
        b"nonsense",
        b'{"to": "+5521973240005",}',
        b"{'to': '+5521973240005'}",
        b'{"to": "+5521973240005"} trailing',
        b'{"to": "+5521973240005", "body": "SEGREDO-4711 \xff", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\xc3", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\xed\xa0\x80", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\\ud800", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\\udc00\\ud800", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\\ud83d SEGREDO-4711", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "\x00", "route": "premium"}',
        b'{"to": "+5521973240005", "body": "line\nbreak", "route": "premium"}',
        '{"to": "+5521973240005", "body": "Hello", "route": "premium"}'.encode("utf-16"),
    ],
)
async def test_a_body_that_is_no_json_in_utf8_is_400(
    rest: httpx.AsyncClient, content: bytes
) -> None:
    body = await refused(rest, content, 400)

    assert "JSON" in body["detail"]
    assert "errors" not in body


# Wrong fields -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"a/b~c": 1}, ("/a~1b~0c", "unknown_field")),
        ({"to": 5521973240005}, ("/to", "wrong_type")),
        ({"to": None}, ("/to", "wrong_type")),
        ({"to": "+552197324"}, ("/to", "invalid_phone")),
        ({"to": "+5521973240005 ext. 3"}, ("/to", "invalid_phone")),
        ({"route": 1}, ("/route", "not_allowed")),
        ({"senderId": "too long a name!"}, ("/senderId", "wrong_format")),
        ({"senderId": "Loja\n"}, ("/senderId", "wrong_format")),
        ({"contactId": "a\x00b"}, ("/contactId", "nul")),
        ({"trackLinks": "yes"}, ("/trackLinks", "wrong_type")),
        ({"trackLinks": 1}, ("/trackLinks", "wrong_type")),
        ({"metadata": {"k": float("nan")}}, ("/metadata/k", "not_finite")),
    ],
    ids=lambda value: repr(value)[:60],
)
async def test_a_wrong_field_is_named_by_its_pointer(
    rest: httpx.AsyncClient, change: dict[str, Any], wrong: tuple[str, str]
) -> None:
    assert await fields_of(rest, {**GOOD, **change}) == [("pointer", *wrong)]


async def test_all_wrong_fields_are_named_at_once(rest: httpx.AsyncClient) -> None:
    wrong = {
        "to": "+5521*****0005",
        "body": "",
        "route": SECRET,
        "nope": SECRET,
        "metadata": {"ok": 1, "with space": 1, "nested": {"a": SECRET}},
        "contactId": "a\x00",
    }

    assert await fields_of(rest, wrong) == [
        ("pointer", "/body", "too_short"),
        ("pointer", "/contactId", "nul"),
        ("pointer", "/metadata/nested", "wrong_type"),
        ("pointer", "/metadata/with space", "wrong_format"),
        ("pointer", "/nope", "unknown_field"),
        ("pointer", "/route", "not_allowed"),
        ("pointer", "/to", "VALOR_MASCARADO"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"body": "\\u0000 written out is no NUL"},
        {"contactId": None, "campaignId": None, "metadata": None, "senderId": None},
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_null_and_the_spelling_of_a_nul_are_taken(
    rest: httpx.AsyncClient, change: dict[str, Any]
) -> None:
    headers = {"Authorization": f"Bearer {await a_key()}", "Idempotency-Key": "k"}

    answer = await rest.post(PATH, json={**GOOD, **change}, headers=headers)

    assert answer.status_code == 201, answer.text
    assert answer.json().get("metadata") == change.get("metadata")


# Too much -----------------------------------------------------------------------------------------


async def in_pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 100_000):
        yield b"x" * 100_000


async def test_two_megabytes_are_413_whether_or_not_their_length_is_told(
    rest: httpx.AsyncClient,
) -> None:
    told = await refused(rest, b"x" * 2_000_000, 413)
    not_told = await refused(rest, in_pieces(2_000_000), 413)

    assert told["code"] == not_told["code"] == "BAD_REQUEST"


async def test_a_body_that_lies_about_its_length_is_413_as_well(rest: httpx.AsyncClient) -> None:
    headers = {
        "Authorization": f"Bearer {await a_key()}",
        "Idempotency-Key": "k",
        "Content-Length": "10",
    }
    async with nothing_stored():
        answer = await rest.post(PATH, content=in_pieces(2_000_000), headers=headers)

    the_problem(answer, 413)


async def test_a_body_that_is_too_long_by_its_own_word_is_not_read(rest: httpx.AsyncClient) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    headers = {
        "Authorization": f"Bearer {await a_key()}",
        "Idempotency-Key": "k",
        "Content-Length": "1000001",
    }

    the_problem(await rest.post(PATH, content=unread(), headers=headers), 413)


async def test_a_megabyte_is_still_read(rest: httpx.AsyncClient) -> None:
    whole = json.dumps({**GOOD, "body": "x"}).encode().ljust(1_000_000)
    headers = {"Authorization": f"Bearer {await a_key()}", "Idempotency-Key": "k"}

    exact, one_more = (
        await rest.post(PATH, content=whole, headers=headers),
        await refused(rest, whole + b" ", 413),
    )

    assert exact.status_code == 201
    assert one_more["code"] == "BAD_REQUEST"
