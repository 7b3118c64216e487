"""Short links over REST: the list for the sender, the redirect for the recipient."""

import asyncpg
import httpx
import pytest

from core import short_links
from core.short_links import ShortLink
from tests.factories.organizations import a_caller, a_key
from tests.factories.short_links import a_link
from tests.support.sql_tables import rows_of

BROWSER = {
    "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1"
}


async def test_a_recipient_is_sent_on(rest: httpx.AsyncClient) -> None:
    _, link = await a_link(await a_caller(), "https://shop.example.com/ç?a=b;c&d=%20#e")

    answer = await rest.get(f"/l/{link.code}", headers=BROWSER)

    assert answer.status_code == 302
    assert answer.headers["location"] == "https://shop.example.com/%C3%A7?a=b;c&d=%20#e"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.headers["content-length"] == "0"
    assert "x-request-id" in answer.headers
    assert "set-cookie" not in answer.headers
    assert (await rows_of(ShortLink).get(code=link.code)).clicks == 1


async def test_a_look_at_the_headers_alone_is_counted_as_a_bots(rest: httpx.AsyncClient) -> None:
    _, link = await a_link(await a_caller())

    answer = await rest.head(f"/l/{link.code}", headers=BROWSER)

    assert (answer.status_code, answer.headers["location"], answer.content) == (302, link.url, b"")
    stored = await rows_of(ShortLink).get(code=link.code)
    assert (stored.clicks, stored.bot_clicks) == (0, 1)


@pytest.mark.parametrize("header", ["Sec-Purpose", "Purpose", "X-Moz"])
async def test_a_page_loaded_ahead_is_counted_as_a_bots(
    rest: httpx.AsyncClient, header: str
) -> None:
    _, link = await a_link(await a_caller())

    await rest.get(f"/l/{link.code}", headers={**BROWSER, header: "prefetch"})

    assert (await rows_of(ShortLink).get(code=link.code)).bot_clicks == 1


@pytest.mark.parametrize(
    "path", ["/l/0000000000", "/l/", "/l/short", "/l/%00%0d%0a", "/l/<script>", "/l/a/b"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_an_unknown_code_answers_one_plain_page(
    rest: httpx.AsyncClient, method: str, path: str
) -> None:
    answer = await rest.request(method, path, headers=BROWSER)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "set-cookie" not in answer.headers
    assert 0 < int(answer.headers["content-length"]) < 1000
    assert answer.content == (
        b"" if method == "HEAD" else (await rest.get("/l/0000000000")).content
    )


async def test_the_page_says_nothing_of_anybody_and_loads_nothing(rest: httpx.AsyncClient) -> None:
    answer = await rest.get(
        "/l/ana@example.com?phone=+5511987654321", headers={"User-Agent": "Ana's phone"}
    )

    page = answer.text.lower()
    assert '<html lang="pt-br">' in page
    assert [
        sign for sign in ("ana", "5511", "http", "src=", "href", "url(", "<script") if sign in page
    ] == []


async def test_no_address_can_write_headers(rest: httpx.AsyncClient) -> None:
    _, link = await a_link(await a_caller())
    await (
        rows_of(ShortLink)
        .filter(code=link.code)
        .update(url='https://a.com/\r\nSet-Cookie: a=b\r\n\r\n"><script>#\r\n')
    )

    answer = await rest.get(f"/l/{link.code}", headers=BROWSER)

    assert "set-cookie" not in answer.headers
    location = answer.headers["location"]
    assert location == "https://a.com/%0D%0ASet-Cookie:%20a=b%0D%0A%0D%0A%22%3E%3Cscript%3E#%0D%0A"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_other_methods_are_refused_and_not_counted(
    rest: httpx.AsyncClient, method: str
) -> None:
    _, link = await a_link(await a_caller())

    answer = await rest.request(method, f"/l/{link.code}", headers=BROWSER)

    assert answer.status_code == 405
    assert (await rows_of(ShortLink).get(code=link.code)).clicks == 0


async def test_a_database_that_is_away_is_a_page_too(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*arguments: object, **named: object) -> str:
        raise asyncpg.ConnectionDoesNotExistError

    monkeypatch.setattr(short_links, "follow_link", away)
    answer = await rest.get("/l/0000000000", headers=BROWSER)

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_the_sender_reads_the_clicks(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    key = await a_key(organization_id=caller.organization_id)
    message_id, link = await a_link(caller)
    await rest.get(f"/l/{link.code}", headers=BROWSER)

    answer = await rest.get("/v2/links", params={"messageId": message_id}, headers=bearer(key))

    assert answer.status_code == 200
    (item,) = answer.json()["items"]
    assert item["shortUrl"] == f"http://svc.test/l/{link.code}"
    assert (item["url"], item["clicks"], item["botClicks"]) == (link.url, 1, 0)
    assert item["lastClickedAt"]


async def test_the_redirect_is_no_operation_of_the_document(rest: httpx.AsyncClient) -> None:
    paths = (await rest.get("/openapi.json")).json()["paths"]

    assert "/v2/links" in paths
    assert not any(path.startswith("/l/") for path in paths)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
