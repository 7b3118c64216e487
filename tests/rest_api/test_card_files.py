"""Files of cards over REST: bytes in, a signed address out."""

from urllib.parse import urlsplit

import httpx
import pytest

from core.cards import files
from core.foundation.security.caller import Caller, Scope
from core.pipelines import create_pipeline
from tests.factories.organizations import a_caller, a_key
from tests.factories.pipelines import a_new_pipeline
from tests.factories.stored_cards import a_stored_card
from tests.rest_api.problem_answers import the_problem

HEADERS = {
    "content-type": "application/octet-stream",
    "x-filename": "vota%C3%A7%C3%A3o.pdf",
    "x-content-type": "application/pdf",
}
CRM = frozenset({Scope.CRM_READ, Scope.CRM_WRITE, Scope.CRM_DELETE})
PDF = b"%PDF-1.7\n" + bytes(range(128, 256)) * 10
MARKUP = b"<!doctype html><script>alert(document.domain)</script>"


async def a_card(rest: httpx.AsyncClient) -> str:
    """The address of a card's files; from now on the client calls with a key of its organization."""
    caller: Caller = await a_caller("test")
    key = await a_key("test", organization_id=caller.organization_id, scopes=CRM)
    rest.headers["Authorization"] = f"Bearer {key}"
    pipeline = await create_pipeline(caller, a_new_pipeline())
    return f"/cards/{(await a_stored_card(caller, pipeline['etapas'][0])).id}/arquivos"


async def test_a_file_is_sent_listed_opened_in_parts_and_deleted(rest: httpx.AsyncClient) -> None:
    address = await a_card(rest)

    sent = await rest.post(address, content=PDF, headers=HEADERS)
    listed = (await rest.get(address)).json()
    url = listed["items"][0]["url"]
    opened = await rest.get(url, headers={"Authorization": ""})
    part = await rest.get(url, headers={"Authorization": "", "Range": "bytes=0-7"})
    deleted = await rest.delete(f"/arquivos/{sent.json()['id']}")

    assert sent.status_code == 201
    assert (sent.json()["nome"], sent.json()["mimeType"], sent.json()["tamanho"]) == (
        "votação.pdf",
        "application/pdf",
        1289,
    )
    assert listed["total"] == 1
    assert (opened.status_code, opened.content) == (200, PDF)
    assert opened.headers["content-type"] == "application/pdf"
    assert opened.headers["content-disposition"].startswith("inline; ")
    assert opened.headers["x-content-type-options"] == "nosniff"
    assert opened.headers["content-security-policy"].startswith("default-src 'none'; ")
    assert (part.status_code, part.content) == (206, PDF[:8])
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await rest.get(url)).status_code == 404
    the_problem(await rest.delete(f"/arquivos/{sent.json()['id']}"), 404)


async def test_markup_that_says_it_is_a_picture_is_only_handed_out_to_be_saved(
    rest: httpx.AsyncClient,
) -> None:
    address = await a_card(rest)

    sent = await rest.post(
        address, content=MARKUP, headers={**HEADERS, "x-content-type": "image/png"}
    )
    opened = await rest.get((await rest.get(address)).json()["items"][0]["url"])

    assert sent.json()["mimeType"] == "text/html"
    assert opened.content == MARKUP
    assert opened.headers["content-type"] == "application/octet-stream"
    assert opened.headers["content-disposition"].startswith("attachment; ")


@pytest.mark.parametrize("change", ["signature", "expires", "name", "nothing signed"])
async def test_an_address_that_was_changed_opens_nothing(
    rest: httpx.AsyncClient, change: str
) -> None:
    address = await a_card(rest)
    await rest.post(address, content=PDF, headers=HEADERS)
    url = httpx.URL((await rest.get(address)).json()["items"][0]["url"])
    changed = (
        url.copy_with(query=None) if change == "nothing signed" else url.copy_set_param(change, "1")
    )

    the_problem(await rest.get(changed), 404)

    assert (await rest.get(url)).status_code == 200


async def test_no_path_leads_out_of_the_folder(rest: httpx.AsyncClient) -> None:
    for path in (
        "/blobs/",
        "/blobs/..%2f..%2fetc%2fpasswd",
        "/blobs/%00",
        "/blobs/x?expires=x&signature=%C3%A9",
    ):
        the_problem(await rest.get(path), 404)


async def test_a_file_has_25_megabytes_at_most(rest: httpx.AsyncClient) -> None:
    assert files.MAX_BYTES == 25_000_000
    address = await a_card(rest)
    largest = PDF + b"\x80" * (files.MAX_BYTES - len(PDF))

    taken = await rest.post(address, content=largest, headers=HEADERS)
    refused = await rest.post(address, content=largest + b"\x80", headers=HEADERS)

    assert taken.status_code == 201
    assert the_problem(refused, 413)["code"] == "BAD_REQUEST"
    assert (await rest.get(address)).json()["total"] == 1


async def test_the_address_belongs_to_the_service(rest: httpx.AsyncClient) -> None:
    address = await a_card(rest)
    await rest.post(address, content=PDF, headers=HEADERS)

    url = urlsplit((await rest.get(address)).json()["items"][0]["url"])

    assert (url.scheme, url.netloc) == ("http", "svc.test")
    assert url.path.startswith("/blobs/")
