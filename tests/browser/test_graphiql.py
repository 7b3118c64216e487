"""GraphiQL in a browser: it works with this service alone, and forgets the key."""

import json
from itertools import pairwise

import aiohttp
import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.barriers import barriers
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


async def enter(page: Page, key: str) -> None:
    """Give the key that the page asks for first."""
    await page.get_by_label("API key").fill(key)
    await page.get_by_role("button", name="Open GraphiQL").click()


READ = (
    "(kind) => document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.documentAST"
)
READ += "?.definitions[0].operation === kind"


async def run(page: Page, document: str, *, kind: str = "query") -> None:
    await write(page, ".graphiql-query-editor .CodeMirror", document)
    await page.wait_for_function(READ, arg=kind)  # GraphiQL reads it a moment after it was typed
    await page.get_by_role("button", name="Execute query").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_key_is_asked_for_and_runs_a_query(
    browser: Browser, site: Dev, scheme: Scheme
) -> None:
    async with a_visit(browser, site.url, scheme=scheme) as visit:
        await visit.open("/graphql")
        page = visit.page
        await expect(page.get_by_label("API key")).to_be_focused()
        await expect(page.get_by_role("alert")).to_be_hidden()
        assert visit.complaints == []

        async with page.expect_response(
            lambda response: "__schema" in (response.request.post_data or "")
        ) as schema:
            await enter(page, site.key)
        assert (await schema.value).status == 200
        await expect(page.locator(HEADERS).last).to_contain_text(site.key)
        await page.get_by_role("button", name="Execute query").click()

        await expect(page.locator(".graphiql-response")).to_contain_text('"env": "TEST"')
        assert site.key not in await visit.kept()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
async def test_the_form_for_the_key_has_no_barriers(
    browser: Browser, site: Dev, scheme: Scheme, width: int
) -> None:
    async with a_visit(browser, site.url, scheme=scheme, width=width) as visit:
        await visit.open("/graphql")
        await enter(visit.page, "svc_test_")
        await expect(visit.page.get_by_role("alert")).to_be_visible()

        assert await barriers(visit.page) == []


async def test_what_is_no_key_is_told_at_the_field(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/graphql")
        page = visit.page
        await enter(page, "svc_test_")
        await expect(page.get_by_role("alert")).to_contain_text("That is no key")
        await enter(page, site.key[:-1] + ("a" if site.key[-1] != "a" else "b"))
        await expect(page.get_by_role("alert")).to_contain_text("redential")
        await expect(page.get_by_label("API key")).to_be_focused()
        assert visit.forgive("401") == 1, "what the browser says of the answer to a wrong key"

        await enter(page, f"Bearer {site.key}")
        await expect(page.get_by_role("button", name="Execute query")).to_be_visible()


async def test_another_key_may_be_taken_by_the_button_or_among_the_headers(
    browser: Browser, site: Dev
) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/graphql")
        page = visit.page
        await enter(page, site.key)
        await page.get_by_role("button", name="Other key").click()
        await enter(page, site.key)
        await expect(page.locator(HEADERS).last).to_contain_text(site.key)

        await write(page, HEADERS, "{}")
        await run(page, "{ me { env } }")
        await expect(page.locator(".graphiql-response")).to_contain_text("no key among the headers")
        await write(page, HEADERS, json.dumps({"authorization": f"Bearer {site.key}"}))
        await run(page, "{ me { env } }")
        await expect(page.locator(".graphiql-response")).to_contain_text('"env": "TEST"')


async def test_a_reload_asks_for_the_key_again(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/graphql")
        page = visit.page
        await enter(page, site.key)
        await run(page, "{ me { wallet { disponivelCoins } } }")
        await expect(page.locator(".graphiql-response")).to_contain_text("disponivelCoins")
        await page.wait_for_function(
            "() => localStorage['graphiql:tabState']?.includes('disponivelCoins')"
        )

        await page.reload()
        await enter(page, site.key)
        await expect(page.locator(".graphiql-query-editor")).to_contain_text("disponivelCoins")
        await expect(page.locator(".graphiql-tab")).to_have_count(
            0
        )  # one tab alone is not shown as one
        await expect(page.locator(HEADERS).last).to_contain_text(site.key)


async def test_a_subscription_is_told_of_what_happens(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/graphql")
        page = visit.page
        await enter(page, site.key)
        await run(page, "subscription { messageChanged { status to } }", kind="subscription")
        await eventually(
            lambda: any("connection_ack" in frame for frame in visit.frames), "the socket is ours"
        )

        sent = {"to": "+5511987650005", "body": "Olá", "route": "premium"}
        headers = {"Authorization": f"Bearer {site.key}", "Idempotency-Key": "graphiql-1"}
        async with aiohttp.ClientSession(headers=headers) as http:
            assert (await http.post(f"{site.url}/v2/sms/messages", json=sent)).status == 201

        await expect(page.locator(".graphiql-response")).to_contain_text("messageChanged")
        assert site.key not in await visit.kept()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
async def test_a_phone_can_be_used(browser: Browser, site: Dev, width: int, height: int) -> None:
    async with a_visit(browser, site.url, width=width, height=height) as visit:
        await visit.open("/graphql")
        page = visit.page
        await enter(page, site.key)
        await run(page, "{ me { env } }")
        await expect(page.locator(".graphiql-response")).to_contain_text('"env": "TEST"')

        assert await page.evaluate("document.documentElement.scrollWidth") == width, (
            "nothing hangs out of the screen"
        )
        parts = [
            ".graphiql-query-editor",
            ".graphiql-editor-tools",
            ".graphiql-editor-tool",
            ".graphiql-response",
        ]
        boxes = [box for part in parts if (box := await page.locator(part).bounding_box())]
        assert len(boxes) == len(parts)
        for above, below in pairwise(boxes):
            assert above["y"] + above["height"] <= below["y"] + 1, "one below the other"
        for box in boxes:
            assert box["width"] > 0.85 * width
            assert box["y"] + box["height"] <= height
        assert boxes[0]["height"] > 100
        assert boxes[-1]["height"] > 100

        await page.get_by_role("button", name="Show Documentation Explorer").click()
        await expect(page.get_by_text("Root Types")).to_be_visible()
        await expect(page.locator(".graphiql-response")).to_be_hidden()
        await page.get_by_role("button", name="Hide Documentation Explorer").click()
        await expect(page.locator(".graphiql-response")).to_be_visible()
