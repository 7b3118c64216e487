"""The page behind the link of a letter: whoever was invited sets a password, on a phone too."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import Browser

from tests.browser.barriers import barriers
from tests.browser.visits import Scheme, a_visit
from tests.support.dev import Dev

WIDTH, HEIGHT = 360, 844
PASSWORD = "a password of my own"


async def invited(site: Dev, email: str) -> str:
    """Invite a person, as the owner of the demo; answers path and fragment of the link."""
    demo = json.loads((Path(site.environment["SVC_DATA_DIR"]) / "demo.json").read_text())
    async with httpx.AsyncClient(base_url=site.url) as api:
        session = (await api.post("/v2/sessions", json={**demo["owner"], "env": "test"})).json()
        answer = await api.post(
            "/v2/accounts",
            json={"email": email, "name": "Caio"},
            headers={"Authorization": f"Bearer {session['token']}"},
        )
    link = urlsplit(answer.json()["link"])
    return f"{link.path}#{link.fragment}"


async def logged_in(site: Dev, email: str) -> int:
    body: dict[str, Any] = {"email": email, "password": PASSWORD, "env": "test"}
    async with httpx.AsyncClient(base_url=site.url) as api:
        return (await api.post("/v2/sessions", json=body)).status_code


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_an_invitation_is_accepted_once_and_the_link_is_kept_nowhere(
    site: Dev, browser: Browser, scheme: Scheme
) -> None:
    email = f"caio-{scheme}@example.com"
    link = await invited(site, email)

    async with a_visit(browser, site.url, scheme=scheme, width=WIDTH, height=HEIGHT) as visit:
        page = visit.page
        await visit.open(link)
        await page.get_by_role("heading", name="Accept the invitation").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        assert await barriers(page) == []
        assert link.partition("=")[2] not in await visit.kept()

        await page.get_by_label("New password").fill("short")
        await page.get_by_role("button").click()
        assert await page.get_by_role("alert").text_content() == (
            "The password needs 8 characters or more."
        )
        await page.get_by_label("New password").fill(PASSWORD)
        await page.get_by_role("button").click()
        await page.get_by_text("You have accepted.").wait_for()
        assert await page.get_by_role("button").count() == 0
        enter = page.get_by_role("link", name="Log in to the console")
        assert await enter.get_attribute("href") == "/console"
        assert PASSWORD not in await visit.kept()

    assert await logged_in(site, email) == 201
    async with a_visit(browser, site.url, scheme=scheme, width=WIDTH, height=HEIGHT) as visit:
        await visit.open(link)
        await visit.page.get_by_label("New password").fill("another password")
        await visit.page.get_by_role("button").click()
        await visit.page.locator("#why:not(:empty)").wait_for()
        assert visit.forgive("422") == 1, "the browser says so of every refused request"
    assert await logged_in(site, email) == 201


async def test_without_a_link_it_says_where_to_find_one(site: Dev, browser: Browser) -> None:
    async with a_visit(browser, site.url, width=WIDTH, height=HEIGHT) as visit:
        await visit.open("/account#anything=else")

        await visit.page.get_by_text("Open the link of the message that you got.").wait_for()
        assert await visit.page.get_by_role("button").count() == 0
