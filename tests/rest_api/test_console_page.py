"""The console's page: the same at each of its addresses, made of files of this service alone, and
built of the sources that are beside it.
"""

import hashlib
import json
import re
from pathlib import Path

import httpx
import pytest
from graphql import parse, validate

from graphql_api.schema import graphql_schema
from rest_api.console import documents
from rest_api.console.page import POLICY, STATIC
from tests.factories.browsers import a_browser, with_cookie

ADDRESS = re.compile(r'(?:src|href)="([^"#]+)"')
OTHER_HOST = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[\w-]+\.")
SOURCES = Path(__file__).resolve().parents[2] / "console"
MANIFEST = json.loads((STATIC / "manifest.json").read_bytes())
MEND = "build it anew and commit the result: make console"


async def test_the_page_loads_files_of_this_service_that_are_kept_for_ever(
    rest: httpx.AsyncClient,
) -> None:
    page = await rest.get("/console")
    deep = await rest.get("/console/contatos/cnt_1?tag=x")

    assert (page.status_code, deep.status_code, deep.content) == (200, 200, page.content)
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert page.headers["x-frame-options"] == "DENY"
    assert re.findall(r"<script[^>]*>[^<]|<style|\sstyle=|\son\w+=", page.text) == []
    addresses = set(ADDRESS.findall(page.text)) - {"/docs"}
    assert {address.rpartition("/")[0] for address in addresses} == {"/console/assets"}
    for path in (STATIC / "assets").iterdir():
        file = await rest.get(f"/console/assets/{path.name}")
        assert (file.status_code, file.content) == (200, path.read_bytes())
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert re.search(r"-[\w-]{8}\.\w+$", path.name), "its name tells its content"


def test_what_is_committed_was_built_of_these_sources() -> None:
    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    left_out = {"node_modules", "graphql-env.d.ts", ".gitignore", "README.md"}
    sources = {
        str(path.relative_to(SOURCES)): digest(path)
        for path in SOURCES.rglob("*")
        if path.is_file() and not left_out & set(path.relative_to(SOURCES).parts)
    }
    outputs = {
        str(path.relative_to(STATIC)): digest(path)
        for path in STATIC.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }

    assert sources == MANIFEST["sources"], MEND
    assert outputs == MANIFEST["outputs"], MEND


def test_no_address_of_a_registry_is_in_the_lockfile() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_bytes())

    assert [name for name, one in lock["packages"].items() if "resolved" in one] == []


def test_every_operation_fits_the_schema_and_is_named_by_its_hash() -> None:
    known = documents()

    assert len(known) > 8
    for digest, document in known.items():
        assert hashlib.sha256(document.encode()).hexdigest() == digest
        assert [error.message for error in validate(graphql_schema, parse(document))] == []


@pytest.mark.usefixtures("at_once")
async def test_its_operations_are_registered_for_everybody(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    digest = next(key for key, text in documents().items() if "query PaletteContacts" in text)
    extension = {"persistedQuery": {"version": 1, "sha256Hash": digest}}

    answer = await rest.post(
        "/graphql",
        json={"variables": {"q": "ana"}, "extensions": extension},
        headers=with_cookie(token, csrf),
    )

    assert answer.json()["data"] == {"contacts": {"__typename": "ContactConnection", "nodes": []}}


async def test_a_file_of_another_version_is_not_there(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/console/assets/index-00000000.js")

    assert answer.status_code == 404
    assert "/console" in answer.json()["detail"]


def test_no_file_asks_another_host() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".html", ".css", ".svg"):
            assert OTHER_HOST.findall(path.read_text("utf-8")) == [], path.name
