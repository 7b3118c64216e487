"""What holds on every screen of the console: it asks once, stands in nobody's way, says that it loads,
is empty or failed, and loses nothing that was typed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from random import randrange

from playwright.async_api import Browser, Page, Route, expect

from tests.browser.barriers import barriers, contrasts
from tests.browser.console_visits import (
    DESK,
    PHONE,
    at_work,
    fits,
    go,
    hurry,
    is_settled,
    operations_of,
)
from tests.browser.test_console_conversations import asked as api
from tests.browser.visits import Visit
from tests.support.dev import Dev
from tests.support.waiting import eventually

TOLD = "req_toldToPeople"
FAILED = {
    "data": None,
    "errors": [{"message": "It broke.", "extensions": {"code": "INTERNAL", "requestId": TOLD}}],
}


async def screens(site: Dev) -> dict[str, str]:
    """Every screen and its parts, by the operation of each."""
    contact = (await api(site, "GET", "/contacts?limit=1"))["items"][0]["id"]
    journeys = (await api(site, "GET", "/v2/journeys"))["items"]
    draft = next(one["id"] for one in journeys if one["status"] == "rascunho")
    made = {"url": "http://127.0.0.1:9009/hooks", "events": ["sms.failed"]}
    webhook = (await api(site, "POST", "/webhooks", json=made))["webhook"]["id"]
    return {
        "Home": "/",
        "Contacts": "/contatos",
        "ContactPage": f"/contatos/{contact}",
        "Conversations": "/conversas",
        "SendPeople": "/enviar",
        "SendRecipient": f"/enviar?contato={contact}",
        "DealBoard": "/negocios",
        "Journeys": "/jornadas",
        "JourneyPage": f"/jornadas/{draft}",
        "WalletPage": "/carteira",
        "DeveloperKeys": "/desenvolvedor",
        "DeveloperWebhooks": "/desenvolvedor?aba=webhooks",
        "WebhookPage": f"/desenvolvedor/webhooks/{webhook}",
        "FoundDecisions": "/desenvolvedor?aba=decisoes",
        "DeveloperSmpp": "/desenvolvedor?aba=smpp",
        "DeveloperClock": "/desenvolvedor?aba=relogio",
        "TeamPeople": "/equipe",
        "TeamSenders": "/equipe?aba=remetentes",
        "TeamNumbers": "/equipe?aba=numeros",
        "TeamTemplates": "/equipe?aba=templates",
        "TeamRules": "/equipe?aba=regras",
        "TeamAudit": "/equipe?aba=auditoria",
    }


ASK_NOTHING = ("/contatos/importar", "/desenvolvedor?aba=assinatura")


async def is_for_everybody(page: Page, path: str) -> None:
    """On desks and phones, in the light and in the dark: nothing sticks out or stands in the way."""
    for width, height, scheme, other in (
        (DESK, 900, "light", "dark"),
        (PHONE, 844, "dark", "light"),
    ):
        await page.set_viewport_size({"width": width, "height": height})
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert (path, width, await fits(page), await barriers(page)) == (path, width, True, [])
        await page.emulate_media(color_scheme=other)  # type: ignore[arg-type]
        assert (path, width, await contrasts(page)) == (path, width, [])
    await page.set_viewport_size({"width": DESK, "height": 900})


async def test_every_screen_asks_once_and_stands_in_nobodys_way(
    browser: Browser, site: Dev
) -> None:
    async with at_work(browser, site, f"/console{ASK_NOTHING[0]}") as visit:
        page = visit.page
        asked = operations_of(page)
        for operation, path in (await screens(site)).items():
            asked.clear()
            await go(page, path)
            await eventually(lambda: asked, f"{path} asks")
            await is_settled(page)
            await is_for_everybody(page, path)
            if operation == "Home":  # which follows what is told
                assert set(asked) == {operation}
            else:
                assert (path, asked) == (path, [operation]), "and nothing is polled meanwhile"
        for path in ASK_NOTHING:
            asked.clear()
            await go(page, path)
            await expect(page.locator("input[type=file], form textarea").first).to_be_attached()
            await is_for_everybody(page, path)
            assert (path, asked) == (path, [])


async def test_every_screen_says_that_it_loads_why_it_failed_and_that_it_is_empty(
    browser: Browser, site: Dev
) -> None:
    held = asyncio.Event()

    async def fail_later(route: Route) -> None:
        await held.wait()
        await route.fulfill(json=FAILED)

    async with at_work(browser, site, "/console/contatos/importar") as visit:
        page = visit.page
        for path in (await screens(site)).values():
            held.clear()
            await page.route("**/graphql", fail_later)
            await go(page, path)
            await expect(page.locator(".bones").first).to_be_visible()
            held.set()
            alert = page.get_by_role("alert").filter(has_text=TOLD).first
            await expect(alert).to_contain_text("It broke.")
            await page.unroute("**/graphql")
            await alert.get_by_role("button", name="Try again").click()
            await expect(page.get_by_role("alert").filter(has_text=TOLD)).to_have_count(0)
            await is_settled(page)

        await visit.open("/console")
        await page.get_by_role("button", name="Demo").click()
        await page.get_by_role("menuitemradio", name="Live").click()
        await is_settled(page)
        for path in ("/", "/contatos", "/conversas", "/enviar", "/negocios", "/jornadas"):
            await go(page, path)
            await is_settled(page)
            await expect(page.locator("main .state-title").first).to_be_visible()
        await page.get_by_role("button", name="Demo").click()
        await page.get_by_role("menuitemradio", name="Test").click()
        await is_settled(page)


Answer = Callable[[Route], Awaitable[None]]


async def only(visit: Visit, operation: str, answer: Answer) -> None:
    """Answer this operation so, and let the others through."""

    async def choose(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body.get("operationName") == operation:
            await answer(route)
        else:
            await route.continue_()

    await visit.page.route("**/graphql", choose)


async def test_a_screen_and_its_forms_stay_while_the_service_is_away(
    browser: Browser, site: Dev
) -> None:
    tries: list[str] = []

    async def away(route: Route) -> None:
        tries.append(route.request.url)
        await route.abort()

    draft = (await screens(site))["JourneyPage"]
    async with at_work(browser, site, f"/console{draft}") as visit:
        page = visit.page
        await is_settled(page)
        await page.locator("[data-step]").nth(1).click()
        await page.get_by_role("button", name="Edit the step").click()
        name = page.get_by_role("dialog").get_by_label("Name of the step")
        await name.fill("Half typed")
        await hurry(page)
        await page.route("**/graphql", away)
        await visit.cut()  # after which the screen is read again: four times, and later once more
        await eventually(lambda: len(tries) > 4, "it is tried")
        await expect(page.locator(".banner")).to_contain_text("No connection")
        await expect(name).to_have_value("Half typed")
        await page.unroute("**/graphql")
        await expect(page.locator(".banner")).to_be_empty()
        await expect(name).to_have_value("Half typed")
        await expect(page.locator("[data-step]").nth(1)).to_be_attached()
        visit.forgive("ERR_FAILED")


async def test_what_was_typed_outlives_a_service_that_is_away_and_a_pause_is_no_failure(
    browser: Browser, site: Dev
) -> None:
    async def away(route: Route) -> None:
        await route.abort()

    pauses = [1]

    async def pause_once(route: Route) -> None:
        if pauses:
            headers = {"Retry-After": str(pauses.pop()), "Content-Type": "application/problem+json"}
            await route.fulfill(status=429, headers=headers, body="{}")
        else:
            await route.continue_()

    async with at_work(browser, site, "/console/contatos") as visit:
        page, dialog = visit.page, visit.page.get_by_role("dialog")
        await is_settled(page)
        await only(visit, "CreateContact", away)
        await page.get_by_role("button", name="New contact").click()
        await dialog.get_by_label("Phone", exact=True).fill(
            f"(47) 9{randrange(8000, 9000)}-{randrange(1000, 9000)}"
        )
        await dialog.get_by_label("Name", exact=True).fill("Dora Paciente")
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog.get_by_role("alert")).to_contain_text("What you typed stays here")
        await visit.cut()
        await page.reload()
        await is_settled(page)
        await page.get_by_role("button", name="New contact").click()
        await expect(dialog.get_by_label("Name", exact=True)).to_have_value("Dora Paciente")

        await hurry(page)
        await page.unroute("**/graphql")
        await only(visit, "CreateContact", pause_once)
        await dialog.get_by_role("button", name="Save").click()
        banner = page.get_by_role("status").filter(has_text="asked for a pause")
        await visit.hears("asked for a pause")
        await expect(page.get_by_role("heading", name="Dora Paciente")).to_be_visible()
        await expect(banner).to_have_count(0)
        assert pauses == []
        visit.forgive("ERR_FAILED")
        visit.forgive("429")
