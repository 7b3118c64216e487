"""The reference page: complete without a network, kept by browsers, and let out nowhere."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest

from rest_api.docs.page import FILES, POLICY, STATIC
from rest_api.support.static_pages import MEDIA

ADDRESS = re.compile(r'(?:src|href)="([^"]+)"')


@pytest.fixture
async def page(rest: httpx.AsyncClient) -> httpx.Response:
    return await rest.get("/docs")


async def test_the_page_loads_nothing_but_files_of_this_service(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    addresses = set(ADDRESS.findall(page.text))
    own = {address for address in addresses if address.startswith("/docs/")}

    assert {address.rpartition("/")[2] for address in own} == set(FILES)
    assert addresses - own == {"/openapi.json", "/problems"}
    for address in own:
        file = await rest.get(address)
        name = address.rpartition("/")[2]
        assert file.status_code == 200
        assert file.content == (STATIC / name).read_bytes()
        assert file.headers["content-type"].partition(";")[0] == MEDIA[Path(name).suffix]


async def test_the_policy_of_the_page_lets_no_request_out(page: httpx.Response) -> None:
    policy = dict(
        part.split(" ", 1) for part in page.headers["content-security-policy"].split("; ")
    )

    assert page.headers["content-security-policy"] == POLICY
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert policy["font-src"] == "'self'"
    assert not re.search(r"https?:|\*|unsafe-eval", page.headers["content-security-policy"])


def test_what_the_reference_could_ask_of_others_is_off() -> None:
    settings = (STATIC / "docs.js").read_text()

    for off in ("withDefaultFonts: false", "telemetry: false", 'proxyUrl: ""', "agent: { disabled: true }",
                "mcp: { disabled: true }", "persistAuth: false"):  # fmt: skip
        assert off in settings
    assert not re.search("https?://", settings)


async def test_a_file_is_kept_for_ever_and_the_page_is_asked_about(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    (script,) = [address for address in ADDRESS.findall(page.text) if address.endswith("/docs.js")]
    file = await rest.get(script)

    assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert page.headers["cache-control"] == "public, max-age=0, must-revalidate"
    again = await rest.get("/docs", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    changed = await rest.get("/docs", headers={"If-None-Match": '"another"'})
    assert changed.status_code == 200


async def test_an_address_that_names_other_content_is_not_there(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    (script,) = [address for address in ADDRESS.findall(page.text) if address.endswith("/docs.js")]

    for address in (
        script.replace(script.split("/")[2], "0" * 16),
        "/docs/0/docs.html",
        "/docs/x/..%2fpage.py",
    ):
        assert (await rest.get(address)).status_code == 404


def test_the_reference_is_the_published_file_with_its_licence() -> None:
    notice = (STATIC / "scalar.LICENSE.txt").read_text()

    assert hashlib.sha256((STATIC / "scalar.js").read_bytes()).hexdigest() in notice
    assert "MIT License" in notice
    assert sum(path.stat().st_size for path in STATIC.iterdir()) < 5_000_000


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip", "gzip"),
        ("br, gzip;q=0.5", "gzip"),
        ("*", "gzip"),
        ("gzip;q=0", None),
        ("br", None),
        ("", None),
    ],
)
async def test_a_large_answer_is_compressed_for_those_who_take_it(
    rest: httpx.AsyncClient, accepted: str, encoding: str | None
) -> None:
    answer = await rest.get("/openapi.json", headers={"Accept-Encoding": accepted})

    assert answer.headers.get("content-encoding") == encoding
    assert "Accept-Encoding" in answer.headers["vary"]
    assert answer.json()["openapi"] == "3.1.0"


async def test_the_document_is_not_sent_twice(rest: httpx.AsyncClient) -> None:
    first = await rest.get("/openapi.json")

    again = await rest.get(
        "/openapi.json", headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'}
    )

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


async def test_the_forms_of_an_answer_have_tags_of_their_own(rest: httpx.AsyncClient) -> None:
    packed = await rest.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    plain = await rest.get("/openapi.json", headers={"Accept-Encoding": "identity"})

    assert packed.headers["etag"] != plain.headers["etag"]


async def test_an_unknown_address_is_sent_to_the_reference(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/nowhere")

    assert answer.status_code == 404
    assert "/docs" in answer.json()["detail"]
