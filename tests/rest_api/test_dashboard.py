"""The dashboard's page: made of files of this service alone, and written so that no markup comes
from data.
"""

import re
from pathlib import Path

import httpx
import pytest
from graphql import parse, validate

from graphql_api.schema import graphql_schema
from rest_api.dashboard.page import FILES, POLICY, STATIC
from rest_api.support.static_pages import MEDIA

ADDRESS = re.compile(r'(?:src|href)="([^"#]+)"')
IMPORT = re.compile(r'^(?:import|}) .*from "\./([\w.-]+)";$', re.MULTILINE)
OTHER_HOST = re.compile(r"(?:https?:)?//[\w-]+\.")
SCRIPTS = sorted(name for name in FILES if name.endswith(".js"))


@pytest.fixture
async def page(rest: httpx.AsyncClient) -> httpx.Response:
    return await rest.get("/dashboard")


def source(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


async def test_the_page_and_its_modules_are_files_of_this_service(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    addresses = {
        address for address in ADDRESS.findall(page.text) if address.startswith("/dashboard/")
    }
    assert set(ADDRESS.findall(page.text)) - addresses == {"/docs"}
    (folder,) = {address.rpartition("/")[0] for address in addresses}

    for name in FILES:
        file = await rest.get(f"{folder}/{name}")
        assert (file.status_code, file.content) == (200, (STATIC / name).read_bytes())
        assert file.headers["content-type"].partition(";")[0] == MEDIA[Path(name).suffix]
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert file.headers["x-content-type-options"] == "nosniff"


def test_every_file_is_served_and_every_module_found() -> None:
    assert {path.name for path in STATIC.iterdir()} == {*FILES, "page.html"}
    assert {name for script in SCRIPTS for name in IMPORT.findall(source(script))} | {
        "page.js"
    } == set(SCRIPTS)


async def test_the_policy_lets_in_nothing_but_these_files(page: httpx.Response) -> None:
    policy = dict(
        part.split(" ", 1) for part in page.headers["content-security-policy"].split("; ")
    )

    assert page.headers["content-security-policy"] == POLICY
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src")} == {
        "'self'"
    }
    assert policy["trusted-types"] == "'none'"
    assert "unsafe" not in POLICY
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["referrer-policy"] == "no-referrer"


async def test_nothing_stands_in_the_page_itself(page: httpx.Response) -> None:
    assert re.findall(r"<script[^>]*>[^<]", page.text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", page.text) == []


@pytest.mark.parametrize("name", ["page.html", *FILES])
def test_no_file_names_another_host(name: str) -> None:
    text = source(name).replace("http://www.w3.org/2000/svg", "")

    assert OTHER_HOST.findall(text) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_makes_markup_of_text(name: str) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function",
        source(name),
    )


def test_only_the_choice_of_colours_is_remembered() -> None:
    keeping = re.compile(
        r"localStorage|sessionStorage|indexedDB|document\.cookie|caches\.|history\."
    )

    assert {name for name in SCRIPTS if keeping.search(source(name))} == {"theme.js"}


async def test_the_page_is_asked_about_and_not_sent_twice(
    rest: httpx.AsyncClient, page: httpx.Response
) -> None:
    again = await rest.get("/dashboard", headers={"If-None-Match": page.headers["etag"]})

    assert page.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert (again.status_code, again.content) == (304, b"")


async def test_an_address_of_another_version_is_not_there(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/dashboard/0000000000000000/page.js")

    assert answer.status_code == 404
    assert "/dashboard" in answer.json()["detail"]


CONSTANT = re.compile(r"^(?:export )?const ([A-Z]+) = [`\"](.*?)[`\"];$", re.MULTILINE | re.DOTALL)


def documents() -> list[str]:
    """The GraphQL in the modules, put together as they do."""
    texts = [CONSTANT.findall(source(name)) for name in SCRIPTS]
    parts = {
        name: text
        for found in texts
        for name, text in found
        if name in ("CARDS", "ENTRY", "MESSAGE")
    }
    whole = [
        text
        for found in texts
        for _, text in found
        if re.match(r"query |subscription |{ me|{\n", text)
    ]
    return [re.sub(r"\${(\w+)}", lambda part: parts[part[1]], text) for text in whole]


def test_the_schema_has_all_that_the_page_asks_for() -> None:
    asked = documents()

    assert len(asked) == 10
    for document in asked:
        assert [error.message for error in validate(graphql_schema, parse(document))] == []


SAID = re.compile(r'\bt\(\s*"([^"]+)"')
CHOSEN = re.compile(r'\bt\([^()"]*\? "([^"]+)" : "([^"]+)"')
TRANSLATED = re.compile(r'^ {2}(?:"([^"\n]+)"|(\w+)):', re.MULTILINE)


def test_every_sentence_has_a_translation_and_none_is_left_over() -> None:
    table, _, _ = source("texts.js").partition("// Values of closed sets")
    known = {quoted or plain for quoted, plain in TRANSLATED.findall(table)}
    code = [source(name) for name in SCRIPTS if name != "texts.js"]
    said = {text for script in code for text in SAID.findall(script)}
    said |= {text for script in code for pair in CHOSEN.findall(script) for text in pair}

    assert said == known
