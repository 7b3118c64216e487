"""The base URL, addresses that were nearly right, and answers that are compressed."""

import gzip
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rest_api.app import OPERATIONS, create_app
from rest_api.home.page import LINKS
from rest_api.support import compression
from rest_api.support.near_misses import NearMisses
from tests.factories.contacts import a_contact
from tests.rest_api.conftest import the_app
from tests.rest_api.problem_answers import the_problem
from tests.rest_api.speaking import a_client

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
KNOWN = NearMisses({operation.path for operation in OPERATIONS})


@pytest.fixture
async def plain(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """A client whose answers are looked at as they travel."""
    transport = httpx.ASGITransport(app=the_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


# GET / --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("languages", "language", "word"),
    [
        (None, "en", "API reference"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt-BR", "Referência da API"),
        ("de", "en", "Problems"),
    ],
)
async def test_browsers_find_a_page_of_links(
    rest: httpx.AsyncClient, languages: str | None, language: str, word: str
) -> None:
    headers = {"Accept": BROWSER, **({"Accept-Language": languages} if languages else {})}

    answer = await rest.get("/", headers=headers)

    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (
        200,
        "text/html",
    )
    assert answer.headers["content-language"] == language
    assert answer.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"
    assert f'<html lang="{language}">' in answer.text
    assert word in answer.text
    assert "//" not in answer.text.replace("<!doctype html>", "")  # nothing of anybody else's


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html;q=0, application/json"])
async def test_programs_find_the_same_links_as_json(rest: httpx.AsyncClient, accept: str) -> None:
    answer = await rest.get("/", headers={"Accept": accept})

    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["links"] == {link.name: f"http://svc.test{link.address}" for link in LINKS}


async def test_every_link_leads_somewhere(rest: httpx.AsyncClient) -> None:
    addresses = {route.path for route in create_app().router.routes if hasattr(route, "path")}
    assert {link.address for link in LINKS} <= addresses


# Near misses --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("/v2/messages", "/messages"),
        ("/contacts/", "/contacts"),
        ("/contact", "/contacts"),
        ("/v2/contacts", "/contacts"),
        ("/sms/messages", "/v2/sms/messages"),
        ("/v2/sms/mesages", "/v2/sms/messages"),
        ("/V2//SMS/Messages/", "/v2/sms/messages"),
        ("/v2/sms/messages/sms_abc/", "/v2/sms/messages/{id}"),
        ("/v2/walet", "/v2/wallet"),
        ("/doc", "/docs"),
        ("/grapql", "/graphql"),
        ("/openapi.jsn", "/openapi.json"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_address_that_was_nearly_right_is_told_the_right_one(
    rest: httpx.AsyncClient, method: str, asked: str, near: str
) -> None:
    answer = await rest.request(method, asked)

    problem = the_problem(answer, 404)
    assert problem["meta"]["enderecosProximos"][0] == near
    assert near in problem["detail"]
    assert "location" not in answer.headers


async def test_it_is_told_in_portuguese_too(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/v2/messages", headers={"Accept-Language": "pt-BR"})
    assert "são parecidos: /messages" in answer.json()["detail"]


@pytest.mark.parametrize(
    "asked", ["/nothing/of/the/kind", "/", "/" + "a" * 1_000, "/segredo-4711", "/%00", "/é"]
)
async def test_what_is_near_nothing_is_told_of_nothing_and_never_said_back(
    rest: httpx.AsyncClient, asked: str
) -> None:
    if asked == "/":
        assert KNOWN.of(asked) == []
        return
    problem = the_problem(await rest.get(asked), 404)
    assert "meta" not in problem
    assert problem["detail"] == "No operation has this address; see /docs for those that exist."


def test_only_addresses_that_could_be_meant_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    near = KNOWN._near

    def look(part: str) -> set[str]:
        looked_at.append(part)
        return near(part)

    monkeypatch.setattr(KNOWN, "_near", look)

    assert KNOWN.of("/" + "contacts/" * 1_000) == []
    assert looked_at == []
    assert KNOWN.of("/" + "contacts/" * 20) == []
    assert looked_at == ["contacts"]  # once, however often it stands there
    assert near("c" * 41) == set()


def test_a_known_address_is_nearest_to_itself() -> None:
    for operation in OPERATIONS:
        assert KNOWN.of(operation.path.replace("{", "").replace("}", ""))[0].count(
            "/"
        ) == operation.path.count("/")


# Compression --------------------------------------------------------------------------------------


GZIP = {"Accept-Encoding": "br, gzip;q=0.5"}


async def travelled(
    rest: httpx.AsyncClient, method: str, path: str, **options: Any
) -> tuple[httpx.Response, bytes]:
    """The answer, and its bytes as they travelled."""
    async with rest.stream(method, path, **options) as answer:
        return answer, b"".join([piece async for piece in answer.aiter_raw()])


async def some_contacts(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    for _ in range(20):
        await a_contact(caller)


async def test_a_long_answer_is_compressed_for_who_asks_for_it(plain: httpx.AsyncClient) -> None:
    await some_contacts(plain)
    answer, whole = await travelled(
        plain, "GET", "/contacts", headers={"Accept-Encoding": "identity"}
    )
    packed, few = await travelled(plain, "GET", "/contacts", headers=GZIP)
    head, nothing = await travelled(plain, "HEAD", "/contacts", headers=GZIP)

    assert "content-encoding" not in answer.headers
    assert packed.headers["content-encoding"] == head.headers["content-encoding"] == "gzip"
    assert packed.headers["content-length"] == head.headers["content-length"] == str(len(few))
    assert "Accept-Encoding" in answer.headers["vary"]
    assert "Accept-Encoding" in packed.headers["vary"]
    assert gzip.decompress(few) == whole
    assert len(few) < len(whole) / 3
    assert nothing == b""


@pytest.mark.parametrize(
    "asked",
    [{}, {"Accept-Encoding": ""}, {"Accept-Encoding": "gzip;q=0"}, {"Accept-Encoding": "br"}],
)
async def test_who_does_not_ask_for_it_is_answered_plainly(
    plain: httpx.AsyncClient, asked: dict[str, str]
) -> None:
    await some_contacts(plain)
    del plain.headers["Accept-Encoding"]

    answer, _ = await travelled(plain, "GET", "/contacts", headers=asked)

    assert "content-encoding" not in answer.headers


async def test_what_is_small_stays_as_it_is(plain: httpx.AsyncClient) -> None:
    await a_client(plain)
    answer, _ = await travelled(plain, "GET", "/contacts", headers=GZIP)
    assert {"content-encoding", "vary"} & answer.headers.keys() == set()


async def test_an_answer_that_may_show_a_secret_is_never_compressed(
    plain: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_client(plain)
    monkeypatch.setattr("rest_api.support.answers.SMALL", 1)
    body = {"url": "https://example.com/hook", "events": ["sms.delivered"]}
    created, whole = await travelled(plain, "POST", "/webhooks", json=body, headers=GZIP)
    mutation = {"query": 'mutation { createList(input: {name: "a"}) { id } }'}
    changed, _ = await travelled(plain, "POST", "/graphql", json=mutation, headers=GZIP)
    asked, _ = await travelled(
        plain, "POST", "/graphql", json={"query": "{ me { env } }"}, headers=GZIP
    )

    assert created.status_code == 201
    assert b"whsec_" in whole
    assert "content-encoding" not in created.headers
    assert "content-encoding" not in changed.headers
    assert asked.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(("long", "size"), [(100_000, 2_000), (1_000, 200_000)])
async def test_what_is_compressed_is_the_same_wherever_that_is_done(
    monkeypatch: pytest.MonkeyPatch, long: int, size: int
) -> None:
    monkeypatch.setattr(compression, "LONG", long)
    body = b"SVC " * (size // 4)
    assert gzip.decompress(await compression.gzipped(body)) == body


@pytest.mark.parametrize("path", ["/openapi.json", "/problems"])
async def test_what_is_always_the_same_is_compressed_once(
    plain: httpx.AsyncClient, path: str
) -> None:
    first, few = await travelled(plain, "GET", path, headers=GZIP)
    again, _ = await travelled(
        plain, "GET", path, headers={**GZIP, "If-None-Match": first.headers["etag"]}
    )

    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-length"] == str(len(few))
    assert again.status_code == 304
