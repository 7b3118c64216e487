"""The callback address of the platform: who may post to it, what a bad one is told, and what is
kept.
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from core.conversations import inbound
from core.foundation import settings
from core.foundation.database.availability import DatabaseUnreachable
from core.providers.meta.webhook import PlatformChange, split
from rest_api.providers import meta as route
from rest_api.support import prompt
from tests.core.providers.meta.recorded_shapes import NOTICES, notice
from tests.rest_api.problem_answers import the_problem
from tests.support import hostile
from tests.support.counted import counted

ADDRESS = "/providers/meta"
SECRET = "the secret of the app"
WORD = "the word that we agreed upon"


@pytest.fixture(autouse=True)
def platform(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The settings of an installation that the platform knows."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_META_APP_SECRETS", f"{SECRET},the secret of another app")
        patched.setenv("SVC_META_VERIFY_TOKEN", WORD)
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[PlatformChange]:
    """What is handed on to be kept."""
    kept: list[PlatformChange] = []

    async def keep(changes: list[PlatformChange], *, at: object) -> None:
        kept.extend(changes)

    monkeypatch.setattr(inbound, "store_notices", keep)
    return kept


def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    return {
        "X-Hub-Signature-256": "sha256="
        + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    }


async def post(rest: httpx.AsyncClient, body: bytes, **how: Any) -> httpx.Response:
    return await rest.post(ADDRESS, content=body, headers=signed(body, **how))


# Registering the address ---------------------------------------------------------------------------

ASKED = {"hub.mode": "subscribe", "hub.verify_token": WORD, "hub.challenge": "1158201444"}


async def test_the_address_is_registered_by_repeating_the_challenge_as_text(
    rest: httpx.AsyncClient,
) -> None:
    answer = await rest.get(ADDRESS, params=ASKED)
    assert (answer.status_code, answer.text) == (200, "1158201444")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "change",
    [
        {"hub.verify_token": "another word"},
        {"hub.verify_token": ""},
        {"hub.mode": "unsubscribe"},
        {"hub.challenge": "1" * 201},
    ],
)
async def test_who_does_not_know_the_word_registers_nothing(
    rest: httpx.AsyncClient, change: dict[str, str]
) -> None:
    for query in ({**ASKED, **change}, {}):
        problem = the_problem(await rest.get(ADDRESS, params=query), 401)
        assert problem["meta"] == {"motivo": "assinatura"}
        assert "1158201444" not in str(problem)


# Being told ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NOTICES if name != "unknown_field"])
async def test_what_is_signed_is_kept_and_acknowledged(
    rest: httpx.AsyncClient, stored: list[PlatformChange], name: str
) -> None:
    body = notice(name)
    answer = await post(rest, body)
    assert (answer.status_code, answer.json()) == (200, {"received": 1})
    assert stored == split(body)


async def test_any_of_the_secrets_signs(
    rest: httpx.AsyncClient, stored: list[PlatformChange]
) -> None:
    """An Instagram app has a secret of its own, and a secret changes without a gap."""
    answer = await post(rest, notice("instagram_text"), secret="the secret of another app")
    assert answer.status_code == 200
    assert len(stored) == 1


@pytest.mark.parametrize(
    "headers", [{}, {"X-Hub-Signature-256": "sha256=" + "0" * 64}, {"X-Hub-Signature-256": "x"}]
)
async def test_without_the_right_signature_nothing_is_read(
    rest: httpx.AsyncClient, stored: list[PlatformChange], headers: dict[str, str]
) -> None:
    for body in (notice("text"), b"{"):
        problem = the_problem(await rest.post(ADDRESS, content=body, headers=headers), 401)
        assert problem["meta"] == {"motivo": "assinatura"}
    body = notice("text")
    the_problem(await rest.post(ADDRESS, content=body + b" ", headers=signed(body)), 401)
    assert stored == []


@pytest.mark.parametrize(
    "signature", [None, "", "sha256=", "sha1=" + "0" * 40, "sha256=" + "0" * 63, "0" * 64]
)
async def test_what_is_not_even_signed_is_refused_before_its_body_is_read(
    rest: httpx.AsyncClient, signature: str | None
) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    headers = {} if signature is None else {"X-Hub-Signature-256": signature}
    the_problem(await rest.post(ADDRESS, content=unread(), headers=headers), 401)


async def test_a_body_that_does_not_arrive_is_not_waited_for(
    rest: httpx.AsyncClient, stored: list[PlatformChange], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt, "BODY_SECONDS", 0)

    async def stalling() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    the_problem(await rest.post(ADDRESS, content=stalling(), headers=signed(b"{")), 400)
    assert stored == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"object": "whatsapp_business_account"}'])
async def test_a_signed_body_that_is_no_notice_is_refused(
    rest: httpx.AsyncClient, stored: list[PlatformChange], body: bytes
) -> None:
    the_problem(await post(rest, body), 400)
    assert stored == []


async def test_a_body_beyond_its_size_is_refused(
    rest: httpx.AsyncClient, stored: list[PlatformChange]
) -> None:
    the_problem(await post(rest, notice("text").ljust(route.MAX_BODY_BYTES + 1)), 413)
    assert (await post(rest, notice("text").ljust(route.MAX_BODY_BYTES))).status_code == 200
    assert len(stored) == 1


async def test_a_field_without_a_meaning_here_is_acknowledged_and_counted(
    rest: httpx.AsyncClient, stored: list[PlatformChange]
) -> None:
    """The platform posts again for days what is not acknowledged, and stops the whole subscription
    in the end.
    """
    both = json.loads(notice("text"))
    both["entry"] += json.loads(notice("unknown_field"))["entry"]

    with counted("svc_platform_changes_") as risen:
        answer = await post(rest, json.dumps(both).encode())

    assert answer.json() == {"received": 2}
    assert [change.field for change in stored] == ["messages"]
    assert risen == {("svc_platform_changes_unknown_total",): 1}


async def test_what_cannot_be_kept_is_not_acknowledged(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(changes: list[PlatformChange], *, at: object) -> None:
        raise DatabaseUnreachable

    monkeypatch.setattr(inbound, "store_notices", away)
    the_problem(await post(rest, notice("text")), 503)


async def test_no_value_is_a_fault_of_ours(rest: httpx.AsyncClient, clean_slate: None) -> None:
    for body in hostile.places(json.loads(notice("text"))):
        for value in hostile.RAW.values():
            raw = hostile.with_value(body, value)
            answer = await post(rest, raw)
            assert answer.status_code in (200, 400), (raw[:200], answer.text)


# The address ---------------------------------------------------------------------------------------


async def test_the_address_has_two_methods(rest: httpx.AsyncClient) -> None:
    for method in ("PUT", "PATCH", "DELETE"):
        answer = await rest.request(method, ADDRESS)
        the_problem(answer, 405)
        assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert (await rest.options(ADDRESS)).status_code == 204
    head = await rest.head(ADDRESS, params=ASKED)
    assert (head.status_code, head.content) == (200, b"")


async def test_without_the_apps_secret_there_is_no_such_address(rest: httpx.AsyncClient) -> None:
    with pytest.MonkeyPatch.context() as patched:  # undone before the fixture's own changes are
        patched.delenv("SVC_META_APP_SECRETS")
        patched.delenv("SVC_META_VERIFY_TOKEN")
        settings.current.cache_clear()
        the_problem(await rest.get(ADDRESS, params=ASKED), 404)
        the_problem(await post(rest, notice("text")), 404)
