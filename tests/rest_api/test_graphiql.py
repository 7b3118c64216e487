"""GraphiQL: what `GET /graphql` answers to whom, and that its page is complete without a network."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest

from rest_api.graphiql.page import FILES, POLICY, STATIC
from rest_api.support.static_pages import MEDIA

ADDRESS = re.compile(r'(?:src|href)="([^"]+)"')
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
OTHER_HOST = re.compile(r"(?:https?:|(?<![:\w]))//[\w.-]+", re.IGNORECASE)
BESIDE = re.compile(r"url\(data:[^)]*\)|^\s*//.*$", re.MULTILINE)
"""Where two strokes name no host: embedded fonts, and comments."""


@pytest.fixture
async def page(rest: httpx.AsyncClient) -> httpx.Response:
    return await rest.get("/graphql", headers=BROWSER)


async def test_a_browser_is_shown_a_page_of_files_of_this_service(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    addresses = set(ADDRESS.findall(page.text))
    own = {address for address in addresses if address.startswith("/graphql/")}

    assert {address.rpartition("/")[2] for address in own} == set(FILES)
    assert addresses - own == {"/docs"}
    for address in own:
        file = await rest.get(address)
        name = address.rpartition("/")[2]
        assert (file.status_code, file.content) == (200, (STATIC / name).read_bytes())
        assert file.headers["content-type"].partition(";")[0] == MEDIA[Path(name).suffix]
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_neither_page_nor_style_nor_script_of_ours_names_another_host(
    page: httpx.Response,
) -> None:
    texts = [
        page.text,
        *((STATIC / name).read_text() for name in ("page.css", "page.js", "graphiql.css")),
    ]

    assert [hit for text in texts for hit in OTHER_HOST.findall(BESIDE.sub("", text))] == []
    assert OTHER_HOST.findall('<script src="https://cdn.test/x.js"> <img src="//cdn.test/x">') != []


async def test_no_request_gets_out_and_nobody_frames_the_page(page: httpx.Response) -> None:
    policy = dict(
        part.split(" ", 1) for part in page.headers["content-security-policy"].split("; ")
    )

    assert page.headers["content-security-policy"] == POLICY
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert policy["connect-src"] == policy["script-src"] == "'self'"
    assert not re.search(r"https?:|\*|unsafe-eval", POLICY)
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["referrer-policy"] == "no-referrer"


async def test_the_page_is_asked_about_and_not_sent_twice(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    again = await rest.get("/graphql", headers={**BROWSER, "If-None-Match": page.headers["etag"]})

    assert page.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert {"Accept", "Accept-Encoding"} == set(page.headers["vary"].split(", "))
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "accepted", ["*/*", "application/json", "text/html;q=0", "text/html; q=0.0, */*", ""]
)
async def test_a_program_is_asked_for_its_credential(
    rest: httpx.AsyncClient, accepted: str
) -> None:
    answer = await rest.get("/graphql?query={me{env}}", headers={"Accept": accepted})

    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(
    "accepted", ["text/html", "application/xhtml+xml", "application/json, TEXT/HTML;q=0.1"]
)
async def test_whoever_takes_html_is_a_browser(rest: httpx.AsyncClient, accepted: str) -> None:
    assert (await rest.get("/graphql", headers={"Accept": accepted})).status_code == 200


async def test_head_is_get_without_its_body(rest: httpx.AsyncClient, page: httpx.Response) -> None:
    head = await rest.head("/graphql", headers=BROWSER)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "etag", "content-security-policy", "vary"):
        assert head.headers[name] == page.headers[name]
    assert (await rest.head("/graphql")).status_code == 401


async def test_options_and_other_methods_name_what_there_is(rest: httpx.AsyncClient) -> None:
    told = await rest.options("/graphql")
    refused = await rest.put("/graphql", headers=BROWSER)

    assert (told.status_code, told.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")


async def test_the_request_id_comes_back_with_the_page(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/graphql", headers={**BROWSER, "X-Request-Id": "request-1"})

    assert answer.headers["x-request-id"] == "request-1"


def test_the_vendored_files_are_the_published_ones_with_their_licence() -> None:
    notice = (STATIC / "LICENSES.txt").read_text()
    sums = dict(re.findall(r"^(\S+) .* ([0-9a-f]{64})$", notice, re.MULTILINE))

    assert set(sums) == {name for name in FILES if not name.startswith("page.")}
    assert sums == {name: hashlib.sha256((STATIC / name).read_bytes()).hexdigest() for name in sums}
    assert "MIT License" in notice
    assert sum(path.stat().st_size for path in STATIC.iterdir()) < 5_000_000


def test_a_key_is_not_kept() -> None:
    settings = (STATIC / "page.js").read_text()

    assert "shouldPersistHeaders: false" in settings
    assert "showPersistHeadersSettings: false" in settings
