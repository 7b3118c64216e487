"""Somebody who works in the console, for tests of its screens."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
from playwright.async_api import Browser, Locator, Page, Request, expect

from tests.browser.test_account_page import PASSWORD, invited
from tests.browser.visits import Scheme, Visit, a_visit
from tests.support.dev import Dev
from tests.support.waiting import eventually

DESK, PHONE = 1440, 360


def owner_of(site: Dev) -> tuple[str, str]:
    """E-mail and password of the demo's owner, who may do everything."""
    demo = json.loads((Path(site.environment["SVC_DATA_DIR"]) / "demo.json").read_text())
    return demo["owner"]["email"], demo["owner"]["password"]


async def a_person(site: Dev, name: str) -> str:
    """The address of an operator who was invited and has accepted; the password is `PASSWORD`."""
    email = f"{name}.{token_hex(4)}@example.com"
    token = (await invited(site, email)).partition("=")[2]
    async with httpx.AsyncClient(base_url=site.url) as api:
        body = {"token": token, "password": PASSWORD}
        accepted = await api.post("/v2/accounts/accept", json=body)
    assert accepted.is_success, accepted.text
    return email


async def log_in(page: Page, email: str, password: str = PASSWORD) -> None:
    """Fill in the way in, for the sandbox, and press Enter."""
    await page.locator("input[name=email]").fill(email)
    await page.locator("input[name=password]").fill(password)
    await page.locator("input[name=env][value=test]").check(force=True)
    await page.locator("input[name=password]").press("Enter")


@asynccontextmanager
async def at_work(
    browser: Browser,
    site: Dev,
    path: str = "/console",
    *,
    scheme: Scheme = "light",
    width: int = DESK,
    locale: str = "en-US",
    email: str | None = None,
) -> AsyncIterator[Visit]:
    """The owner, or the operator of this `email`, has logged in at an address of the console."""
    height = 900 if width > 700 else 844
    async with a_visit(
        browser, site.url, scheme=scheme, width=width, height=height, locale=locale
    ) as visit:
        await visit.open(path)
        if email is None:
            await log_in(visit.page, *owner_of(site))
        else:
            await log_in(visit.page, email)
        await expect(visit.page.locator(".shell")).to_be_visible()
        yield visit


async def go(page: Page, path: str) -> None:
    """To an address of the console, without loading the page anew."""
    await page.evaluate("(to) => history.pushState(null, '', to)", f"/console{path}")


async def hurry(page: Page) -> None:
    """What the page waits for by the clock takes a twentieth of its time from now on."""
    await page.evaluate("""() => {
      const wait = setTimeout;
      window.setTimeout = (act, ms, ...rest) => wait(act, ms / 20, ...rest);
    }""")


async def until_shown(shown: Locator, act: Callable[[], Awaitable[object]]) -> None:
    """Do it, again if need be, until the page shows it: one that was just opened may not be told yet."""

    async def is_shown() -> bool:
        await act()
        try:
            await expect(shown).to_be_visible(timeout=5_000)
        except AssertionError:
            return False
        return True

    await eventually(is_shown, f"{shown} is shown")


async def is_settled(page: Page) -> None:
    """Nothing is being loaded any more."""
    await expect(page.locator("main h1").first).to_be_visible()
    await expect(page.locator(".bones")).to_have_count(0)


async def fits(page: Page) -> bool:
    """Whether nothing sticks out at the side."""
    fitting: bool = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fitting


def operations_of(page: Page) -> list[str]:
    """Names of the operations that the page asks from now on; all of them by hash."""
    names: list[str] = []

    def asked(request: Request) -> None:
        if request.url.endswith("/graphql") and request.method == "POST":
            body: dict[str, Any] = json.loads(request.post_data or "{}")
            assert "query" not in body, "its documents are registered"
            names.append(body["operationName"])

    page.on("request", asked)
    return names
