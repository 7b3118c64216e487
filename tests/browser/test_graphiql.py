"""GraphiQL in a browser: it works with this service alone, and forgets the key."""

import json

import aiohttp
import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.visits import Scheme, a_visit
from tests.support.dev import Dev
from tests.support.waiting import eventually

HEADERS = "section[aria-label='Header Editor'], .graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror"
"""The editor below, with its tab Headers open."""


async def write(page: Page, editor: str, text: str) -> None:
    """Replace what an editor holds, as with a keyboard."""
    await page.locator(editor).last.click()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.insert_text(text)


async def paste_key(page: Page, key: str) -> None:
    await write(page, HEADERS, json.dumps({"Authorization": f"Bearer {key}"}))


READ = "(kind) => document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.documentAST"
READ += "?.definitions[0].operation === kind"


async def run(page: Page, document: str, *, kind: str = "query") -> None:
    await write(page, ".graphiql-query-editor .CodeMirror", document)
    await page.wait_for_function(READ, arg=kind)  # GraphiQL reads it a moment after it was typed
    await page.get_by_role("button", name="Execute query").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_pasted_key_runs_a_query(browser: Browser, site: Dev, scheme: Scheme) -> None:
    async with a_visit(browser, site.url, scheme=scheme) as visit:
        await visit.open("/graphql")
        page = visit.page
        answer = page.locator(".graphiql-response")
        await expect(page.locator(HEADERS).last).to_contain_text("Bearer svc_test_…")

        await page.get_by_role("button", name="Execute query").click()
        await expect(answer).to_contain_text("Put your key into the headers")
        async with page.expect_response(lambda response: "__schema" in (response.request.post_data or "")) as schema:
            await paste_key(page, site.key)
        assert (await schema.value).status == 200
        await run(page, "{ me { env } }")

        await expect(answer).to_contain_text('"env": "TEST"')
        assert site.key not in await visit.kept()


async def test_a_subscription_is_told_of_what_happens(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/graphql")
        page = visit.page
        await paste_key(page, site.key)
        await run(page, "subscription { messageChanged { status to } }", kind="subscription")
        await eventually(lambda: any("connection_ack" in frame for frame in visit.frames), "the socket is ours")

        sent = {"to": "+5511987650005", "body": "Olá", "route": "premium"}
        headers = {"Authorization": f"Bearer {site.key}", "Idempotency-Key": "graphiql-1"}
        async with aiohttp.ClientSession(headers=headers) as http:
            assert (await http.post(f"{site.url}/v2/sms/messages", json=sent)).status == 201

        await expect(page.locator(".graphiql-response")).to_contain_text("messageChanged")
        assert site.key not in await visit.kept()


async def test_a_phone_shows_the_page_too(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url, width=360, height=640) as visit:
        await visit.open("/graphql")

        await expect(visit.page.get_by_role("button", name="Execute query")).to_be_visible()
