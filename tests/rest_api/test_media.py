"""Files of messages over REST: two ways in, one way out."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from starlette.types import Message

from core.foundation.clock import now
from core.foundation.files.folder import FolderStore
from core.foundation.security.caller import KEY_SCOPES, Caller
from core.media import MediaFile, MediaQuery, stored_copy, tickets
from core.providers import registry
from core.providers.platform import UpstreamError
from rest_api.media import send as send_of_media
from rest_api.support.requests import Headers
from rest_api.support.streams import Exchange
from tests.factories.media import MARKUP, MP4, PDF, PNG, a_file, opus, sha256
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_messages import stored_conversation
from tests.fakes.files import FilesOfPlatform
from tests.rest_api.problem_answers import the_problem

URL = "... on ConversationMessage { mediaUrl }"
HEADERS = {
    "content-type": "application/octet-stream",
    "x-filename": "vota%C3%A7%C3%A3o.pdf",
    "x-content-type": "application/pdf",
}


@pytest.fixture
async def caller(rest: httpx.AsyncClient) -> Caller:
    """Whose key the client sends."""
    caller = await a_caller("test")
    await let_in(rest, caller)
    return caller


async def let_in(rest: httpx.AsyncClient, caller: Caller) -> None:
    key = await a_key(caller.env, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    rest.headers["Authorization"] = f"Bearer {key}"


async def a_message(caller: Caller, file: MediaFile, **fields: Any) -> str:
    """The address of the file in a message."""
    told = {
        "type": "media",
        "content": {"kind": "document", "media": {"id": file.id}},
        "media": stored_copy(file),
    }
    return f"/messages/{await stored_conversation(caller, now(), **told, **fields)}/media"


async def test_a_file_is_uploaded_as_bytes(rest: httpx.AsyncClient, caller: Caller) -> None:
    number = await a_number(caller)

    answer = await rest.post(f"/numbers/{number.id}/media/binary", content=PDF, headers=HEADERS)

    assert answer.status_code == 201
    told = answer.json()
    assert told.pop("mediaId").startswith("med_")
    assert told == {
        "kind": "document",
        "mimeType": "application/pdf",
        "filename": "votação.pdf",
        "size": len(PDF),
        "sha256": sha256(PDF),
    }


async def test_a_file_is_uploaded_as_json_in_lines_of_76(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    number = await a_number(caller)
    body = {
        "dataBase64": base64.encodebytes(opus()).decode(),
        "filename": "C:\\fakepath\\recado.ogg",
        "mimeType": "audio/ogg; codecs=opus",
    }

    answer = await rest.post(f"/numbers/{number.id}/media", json=body)

    assert answer.status_code == 201
    told = answer.json()
    assert (told["voice"], told["kind"], told["mimeType"]) == (True, "audio", "audio/ogg")
    assert (told["filename"], told["sha256"]) == ("recado.ogg", sha256(opus()))


async def test_a_body_comes_in_chunks_of_any_size(rest: httpx.AsyncClient, caller: Caller) -> None:
    number = await a_number(caller)
    body = json.dumps(
        {"filename": "a.pdf", "mimeType": "a/b", "dataBase64": base64.b64encode(PDF).decode()}
    ).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(body), 5):
            yield body[at : at + 5]

    answer = await rest.post(f"/numbers/{number.id}/media", content=pieces())

    assert answer.json()["sha256"] == sha256(PDF)


async def test_a_body_above_the_limit_is_413_before_it_is_read(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    number = await a_number(caller)

    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    for path, limit in (("media", 160_000_000), ("media/binary", 105_000_000)):
        headers = {**HEADERS, "content-length": str(limit + 1)}
        if path == "media":
            headers["content-type"] = "application/json"
        answer = await rest.post(f"/numbers/{number.id}/{path}", content=unread(), headers=headers)
        assert the_problem(answer, 413)["code"] == "BAD_REQUEST"


# The way out --------------------------------------------------------------------------------------


async def test_the_file_of_a_message_is_streamed(rest: httpx.AsyncClient, caller: Caller) -> None:
    address = await a_message(caller, await a_file(caller, name="nota.pdf"))

    whole = await rest.get(address)
    head = await rest.head(address)

    assert (whole.status_code, whole.content) == (200, PDF)
    assert whole.headers["content-type"] == "application/pdf"
    assert (
        whole.headers["content-disposition"]
        == "inline; filename=\"nota.pdf\"; filename*=UTF-8''nota.pdf"
    )
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["content-security-policy"].startswith("default-src 'none'")
    assert whole.headers["accept-ranges"] == "bytes"
    assert (head.status_code, head.content, head.headers["content-length"]) == (
        200,
        b"",
        str(len(PDF)),
    )


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=5-9", 5, 10),
        ("bytes=5-", 5, len(PDF)),
        ("bytes=-4", len(PDF) - 4, len(PDF)),
        ("bytes=-999999", 0, len(PDF)),
        ("bytes=5-999999", 5, len(PDF)),
        ("Bytes = 5 - 9", 5, 10),
    ],
)
async def test_a_part_of_a_file_is_206(
    rest: httpx.AsyncClient, caller: Caller, asked: str, start: int, end: int
) -> None:
    address = await a_message(caller, await a_file(caller))

    part = await rest.get(address, headers={"Range": asked})

    assert (part.status_code, part.content) == (206, PDF[start:end])
    assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{len(PDF)}"


async def test_a_part_that_is_not_there_is_416(rest: httpx.AsyncClient, caller: Caller) -> None:
    address = await a_message(caller, await a_file(caller))

    for asked in (f"bytes={len(PDF)}-", "bytes=-0"):
        answer = await rest.get(address, headers={"Range": asked})
        assert the_problem(answer, 416)["code"] == "BAD_REQUEST"
        assert answer.headers["content-range"] == f"bytes */{len(PDF)}"


@pytest.mark.parametrize(
    "headers",
    [
        {"Range": "bytes=0-1,4-5"},
        {"Range": "bytes=9-5"},
        {"Range": "bytes=-"},
        {"Range": "pages=0-1"},
        {"Range": "bytes=0-1", "If-Range": '"x"'},
    ],
)
async def test_what_is_no_single_range_gets_the_whole(
    rest: httpx.AsyncClient, caller: Caller, headers: dict[str, str]
) -> None:
    answer = await rest.get(await a_message(caller, await a_file(caller)), headers=headers)

    assert (answer.status_code, answer.content) == (200, PDF)


@pytest.mark.parametrize("yes", ["1", "true", "TRUE"])
async def test_a_redirect_leads_to_an_address_that_works_between_one_and_two_hours(
    rest: httpx.AsyncClient, caller: Caller, yes: str
) -> None:
    address = await a_message(caller, await a_file(caller, name="nota.pdf"))

    answer = await rest.get(address, params={"redirect": yes})
    url = answer.headers["location"]
    opened = await rest.get(url, headers={"Authorization": "", "Range": "bytes=0-7"})

    assert (answer.status_code, answer.content) == (302, b"")
    assert 3600 <= int(dict(parse_qsl(urlsplit(url).query))["expires"]) - now().timestamp() <= 7200
    assert (opened.status_code, opened.content) == (206, PDF[:8])
    assert opened.headers["content-disposition"].startswith("inline; ")


async def test_without_redirect_or_with_another_word_it_is_streamed(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    address = await a_message(caller, await a_file(caller))

    for query in ({}, {"redirect": "0"}, {"redirect": "yes"}, {"redirect": ""}):
        assert (await rest.get(address, params=query)).status_code == 200


async def test_download_names_the_file_by_query_or_origin_or_message(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    file = await a_file(caller, PNG, name="original.png")
    with_name = await a_message(caller, file)
    copy = {**(stored_copy(file) or {}), "filename": None}
    told = {"type": "media", "content": {"kind": "image", "media": {"id": "up-1"}}, "media": copy}
    id = await stored_conversation(caller, now(), **told)

    async def disposition(address: str, **query: str) -> str:
        answer = await rest.get(address, params={"redirect": "1", "download": "1", **query})
        redirected: str = (await rest.get(answer.headers["location"])).headers[
            "content-disposition"
        ]
        streamed = (await rest.get(address, params={"download": "1", **query})).headers[
            "content-disposition"
        ]
        assert redirected == streamed
        return redirected

    assert (await disposition(with_name, filename="meu é.png")).endswith(
        "filename*=UTF-8''meu%20%C3%A9.png"
    )
    assert (
        await disposition(with_name)
        == "attachment; filename=\"original.png\"; filename*=UTF-8''original.png"
    )
    assert (
        await disposition(f"/messages/{id}/media")
        == f"attachment; filename=\"{id}.png\"; filename*=UTF-8''{id}.png"
    )


@pytest.mark.parametrize(
    "name",
    [
        'a"; filename="b.html',
        "a\r\nSet-Cookie: x=1",
        "../../etc/passwd",
        "a\\b.png",
        "\u202egnp.exe",
        "\x00",
        "..",
    ],
)
async def test_no_name_breaks_the_header_or_leaves_its_folder(
    rest: httpx.AsyncClient, caller: Caller, name: str
) -> None:
    address = await a_message(caller, await a_file(caller, PNG))

    for query in ({"download": "1"}, {}):
        told = (await rest.get(address, params={**query, "filename": name})).headers[
            "content-disposition"
        ]
        assert not set(told) & set("\r\n\x00\\")
        assert told.count('"') == 2
        assert "/" not in told
        assert "set-cookie" not in (await rest.get(address, params={"filename": name})).headers


async def test_markup_is_never_shown_in_place_here_or_by_redirect(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    address = await a_message(caller, await a_file(caller, MARKUP, name="pagina.png"))

    streamed = await rest.get(address)
    redirected = await rest.get(
        (await rest.get(address, params={"redirect": "1"})).headers["location"]
    )

    for answer in (streamed, redirected):
        assert answer.content == MARKUP
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("redirect", ["", "1"])
async def test_the_policy_lets_a_browser_show_what_opens_in_place_and_nothing_else(
    rest: httpx.AsyncClient, caller: Caller, redirect: str
) -> None:
    async def policy(content: bytes, **query: str) -> dict[str, str]:
        address = await a_message(caller, await a_file(caller, content))
        answer = await rest.get(address, params={"redirect": redirect, **query})
        if answer.status_code == 302:
            answer = await rest.get(answer.headers["location"])
        parts = (
            part.partition(" ") for part in answer.headers["content-security-policy"].split("; ")
        )
        return {name: sources for name, _, sources in parts}

    for content in (PDF, PNG, MP4):
        shown = await policy(content)
        # A browser puts a film into a page of its own, and shows no PDF in a sandbox.
        assert [shown[f"{kind}-src"] for kind in ("default", "img", "media", "object")] == [
            "'none'",
            *["'self'"] * 3,
        ]
        assert "sandbox" not in shown
        assert "script-src" not in shown
    for saved in (await policy(MARKUP), await policy(PDF, download="1")):
        assert saved == {"default-src": "'none'", "sandbox": "", "frame-ancestors": "'none'"}


async def test_a_reader_who_takes_nothing_is_broken_off(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send_of_media, "READER_SECONDS", 0)
    address = await a_message(caller, await a_file(caller))
    sent = []

    async def send(message: Message) -> None:
        sent.append(message["type"])
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def receive() -> Message:
        return await asyncio.Future()

    scope = {"method": "GET"}
    exchange = Exchange(scope, receive, send, Headers([]), "req_of_a_test")
    await send_of_media.send_media(caller, address.split("/")[2], MediaQuery(), exchange)

    assert sent == ["http.response.start", "http.response.body"]


async def test_a_signed_address_does_not_turn_from_saving_to_showing(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    address = await a_message(caller, await a_file(caller, PNG))
    url = httpx.URL(
        (await rest.get(address, params={"redirect": "1", "download": "1"})).headers["location"]
    )

    the_problem(await rest.get(url.copy_remove_param("save")), 404)
    assert (await rest.get(url)).status_code == 200


async def test_a_platform_that_fails_to_give_a_file_is_502(rest: httpx.AsyncClient) -> None:
    platform = FilesOfPlatform()
    caller, number_id = await platform.a_live_number()
    await let_in(rest, caller)
    platform.kept["up-1"] = [PNG, b"rest"]
    told = {
        "type": "media",
        "content": {"kind": "image", "media": {"id": "up-1"}},
        "number_id": number_id,
    }
    address = f"/messages/{await stored_conversation(caller, now(), **told)}/media"
    try:
        good = await rest.get(address, params={"redirect": "1"})  # no copy of ours: streamed
        platform.failure = UpstreamError("1", "Down")
        bad = await rest.get(address)
    finally:
        registry.converse_by(None)

    assert (good.status_code, good.content, good.headers["content-type"]) == (
        200,
        PNG + b"rest",
        "image/png",
    )
    assert the_problem(bad, 502)["meta"] == {"upstreamCode": "1"}


async def test_the_store_of_the_tests_is_a_folder(rest: httpx.AsyncClient) -> None:
    from core.foundation.files import blob_store

    assert isinstance(blob_store(), FolderStore)


async def test_a_browser_uploads_with_a_ticket_and_opens_what_came_of_it(
    rest: httpx.AsyncClient, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await a_number(caller)
    new = {"filename": "../bolo.png", "mimeType": "image/png"}
    ticket = (await rest.post(f"/numbers/{number.id}/media/tickets", json=new)).json()
    path = urlsplit(ticket["url"]).path
    octets = {"content-type": "application/octet-stream", "authorization": ""}

    taken = await rest.post(path, content=PNG, headers=octets)
    again = await rest.post(path, content=PDF, headers=octets)
    changed = await rest.post(f"{path[:-4]}AAA=", content=PNG, headers=octets)
    monkeypatch.setattr(tickets, "real_now", lambda: now() + tickets.TICKET_LIFETIME)
    late = await rest.post(path, content=PNG, headers=octets)

    told = taken.json()
    assert (taken.status_code, told["kind"], told["filename"]) == (201, "image", "bolo.png")
    file = await MediaFile.visible_to(caller).get(id=told["mediaId"])
    assert file.number_id == number.id
    for refused in (again, changed, late):
        the_problem(refused, 404)

    address = await a_message(caller, file)
    bare = await stored_conversation(caller, now())
    names = (address.split("/")[2], bare)
    asked = "".join(f'm{at}: message(id: "{id}") {{ {URL} }} ' for at, id in enumerate(names))
    answer = (await rest.post("/graphql", json={"query": f"{{ {asked} }}"})).json()["data"]
    opened = await rest.get(answer["m0"]["mediaUrl"], headers={"authorization": ""})
    assert (opened.content, opened.headers["content-type"]) == (PNG, "image/png")
    assert answer["m1"]["mediaUrl"] is None
