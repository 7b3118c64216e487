"""The cookie of a log-in in a real browser: kept over http on the own machine, read by no script, and
of no use to a page of another origin.
"""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, Page

from tests.browser.visits import Visit, a_visit
from tests.support.dev import Dev

CALL = """async ([url, options]) => {
  try {
    const answer = await fetch(url, options);
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch { return { status: 0, body: null } }
}"""

CONNECT = """([url, payload]) => new Promise((told) => {
  const socket = new WebSocket(url, "graphql-transport-ws");
  socket.onopen = () => socket.send(JSON.stringify({ type: "connection_init", payload }));
  socket.onmessage = ({ data }) => { told(JSON.parse(data).type); socket.close(); };
  socket.onclose = ({ code }) => told(code);
})"""

ME = json.dumps({"query": "{ me { env } }"})


async def call(page: Page, url: str, method: str = "GET", **options: Any) -> Any:
    """What a script of the page is answered."""
    return await page.evaluate(CALL, [url, {"method": method, "credentials": "include"} | options])


async def connect(page: Page, url: str, csrf: str | None) -> str | int:
    """What a WebSocket of the page hears first, or with which code it closes."""
    address = url.replace("http", "ws", 1) + "/graphql"
    heard: str | int = await page.evaluate(CONNECT, [address, {"X-CSRF-Token": csrf}])
    return heard


@pytest.fixture
async def visit(browser: Browser, site: Dev) -> AsyncIterator[Visit]:
    """The owner of the demo has logged in, on a page of the service."""
    demo = json.loads((Path(site.environment["SVC_DATA_DIR"]) / "demo.json").read_text())
    async with a_visit(browser, site.url) as visit:
        await visit.open("/account")
        opened = await call(
            visit.page,
            "/console/session",
            "POST",
            headers={"Content-Type": "application/json"},
            body=json.dumps({**demo["owner"], "env": "test"}),
        )
        assert opened["status"] == 201
        yield visit


async def token_of(page: Page) -> str:
    return str((await call(page, "/console/session"))["body"]["csrfToken"])


async def test_a_page_of_the_service_uses_the_cookie_and_cannot_read_it(visit: Visit) -> None:
    page = visit.page
    [cookie] = await page.context.cookies()
    assert cookie["name"] == "__Host-svc_session"
    assert (cookie["httpOnly"], cookie["secure"], cookie["sameSite"]) == (True, True, "Strict")
    assert cookie["expires"] == -1, "it goes with the browser"
    kept = await visit.kept()
    assert "svc_sess" not in kept
    assert cookie["value"] not in kept

    await page.reload()
    headers = {"Content-Type": "application/json", "X-CSRF-Token": await token_of(page)}
    asked = await call(page, "/graphql", "POST", headers=headers, body=ME)

    assert (asked["status"], asked["body"]["data"]) == (200, {"me": {"env": "TEST"}})
    assert await connect(page, visit.url, headers["X-CSRF-Token"]) == "connection_ack"


async def test_without_the_token_the_cookie_is_refused(visit: Visit) -> None:
    page = visit.page
    headers = {"Content-Type": "application/json"}

    asked = await call(page, "/graphql", "POST", headers=headers, body=ME)

    assert (asked["status"], asked["body"]["meta"]) == (403, {"code": "CSRF_INVALIDO"})
    assert await connect(page, visit.url, None) == 4403
    assert visit.forgive("403 (Forbidden)") == 1


async def test_logging_out_takes_the_cookie_away(visit: Visit) -> None:
    page = visit.page
    headers = {"X-CSRF-Token": await token_of(page)}

    ended = await call(page, "/console/session", "DELETE", headers=headers)

    assert ended["status"] == 204
    assert await page.context.cookies() == []
    assert (await call(page, "/console/session"))["status"] == 204


@pytest.fixture
async def elsewhere() -> AsyncIterator[str]:
    """A page on another port: another origin, but to `SameSite` the same site."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>x</title>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/page", answer)
    async with TestServer(app, host="127.0.0.1") as server:
        yield str(server.make_url("/page"))


async def test_a_page_of_another_origin_has_no_use_of_it(visit: Visit, elsewhere: str) -> None:
    csrf = await token_of(visit.page)
    other = await visit.page.context.new_page()
    await other.goto(elsewhere)
    answered: list[tuple[str, int]] = []
    other.on("response", lambda one: answered.append((one.request.method, one.status)))

    # What a page may send without asking first; the browser shows it none of the answers.
    plain = {"mode": "no-cors", "headers": {"Content-Type": "text/plain"}, "body": ME}
    assert (await call(other, f"{visit.url}/graphql", "POST", **plain))["status"] == 0
    assert (await call(other, f"{visit.url}/console/session", mode="no-cors"))["status"] == 0
    assert await connect(other, visit.url, csrf) == 1006

    assert answered == [("POST", 403)], "the other is kept from the page altogether"
    assert len(await visit.page.context.cookies()) == 1, "and it takes nothing away"
