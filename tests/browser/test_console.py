"""The console in a browser: the way in, the shell, and what happens when something is in the way."""

import json
import re
from secrets import token_hex
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page, Route, expect

from core.foundation.clock import now
from core.organizations.second_factor.totp import code_of, step_of
from tests.browser.barriers import barriers
from tests.browser.console_visits import (
    DESK,
    PHONE,
    a_person,
    at_work,
    fits,
    hurry,
    is_settled,
    log_in,
    operations_of,
    owner_of,
    until_shown,
)
from tests.browser.test_account_page import PASSWORD
from tests.browser.visits import Scheme, a_visit
from tests.support.dev import Dev

HOME = {"pt-BR": "Início", "en-US": "Home"}


async def place(page: Page, path: str) -> None:
    await page.locator(f'nav a[href="{path}"]:visible').first.click()


@pytest.mark.parametrize(
    ("locale", "scheme", "width"),
    [
        ("pt-BR", "light", DESK),
        ("en-US", "dark", DESK),
        ("pt-BR", "dark", PHONE),
        ("en-US", "light", PHONE),
    ],
)
async def test_screens_are_there_for_everybody_with_one_question_each(
    browser: Browser, site: Dev, locale: str, scheme: Scheme, width: int
) -> None:
    async with a_visit(
        browser, site.url, scheme=scheme, width=width, height=844, locale=locale
    ) as visit:
        page = visit.page
        await visit.open("/console")
        await expect(page.locator("input[name=email]")).to_be_focused()
        assert await page.evaluate("document.documentElement.lang") == locale.replace("-US", "")
        assert await barriers(page) == []
        asked = operations_of(page)

        await log_in(page, *owner_of(site))
        await expect(page.get_by_role("heading", name=HOME[locale], exact=True)).to_be_visible()
        await is_settled(page)
        assert (asked, await fits(page)) == (["Home"], True)
        await place(page, "/console/contatos")
        await page.locator(".table-link").first.wait_for()
        assert (asked[1:], await fits(page)) == (["Contacts"], True)
        await page.locator(".table-link").first.click()
        await page.locator(".person").wait_for()
        assert (asked[2:], await fits(page)) == (["ContactPage"], True)
        assert "svc_sess" not in await visit.kept()


async def test_a_deep_link_waits_for_the_log_in_and_everything_goes_with_the_log_out(
    browser: Browser, site: Dev
) -> None:
    async with at_work(browser, site, "/console/contatos?tag=cliente") as visit:
        page = visit.page
        await page.locator(".table-link").first.wait_for()
        await expect(page.get_by_label("Tag")).to_have_value("cliente")
        await page.reload()
        await page.locator(".table-link").first.wait_for()

        await page.get_by_role("button", name="New contact").click()
        await page.get_by_label("Name", exact=True).fill("Half typed")
        await page.reload()
        await page.get_by_role("button", name="New contact").click()
        await expect(page.get_by_label("Name", exact=True)).to_have_value("Half typed")
        await page.keyboard.press("Escape")

        await page.get_by_role("button", name="Account of Owner").click()
        assert await barriers(page) == []
        await page.get_by_role("menuitem", name="Log out").click()
        await expect(page.locator("input[name=email]")).to_be_focused()
        assert await page.context.cookies() == []
        assert "Half typed" not in await visit.kept()


async def test_the_other_environment_opens_without_a_log_in_and_other_tabs_say_so(
    browser: Browser, site: Dev
) -> None:
    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        other = await page.context.new_page()
        await other.goto(f"{site.url}/console/contatos")
        await other.locator(".table-link").first.wait_for()

        await page.get_by_role("button", name="Demo").click()
        await page.get_by_role("menuitemradio", name="Live").click()
        await visit.hears("Now in Live")
        await expect(page.locator(".strip")).to_have_count(0)
        await is_settled(page)

        await other.locator(".table-link").first.click()
        await expect(other.get_by_role("alert")).to_contain_text("Another tab moved")
        await other.get_by_role("button", name="Go on").click()
        await expect(other.locator(".shell")).to_have_attribute("data-env", "live")
        visit.forgive("403 (Forbidden)")


async def test_everything_is_reached_by_keyboard(browser: Browser, site: Dev) -> None:
    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        await page.keyboard.press("Control+k")
        await page.keyboard.type("conta")
        assert await barriers(page) == []
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(re.compile("/console/contatos$"))
        first = page.locator("[data-at='0'] a")
        await first.focus()
        await page.keyboard.press("ArrowDown")
        await expect(page.locator("[data-at='1'] a")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.locator(".person").wait_for()
        id = page.url.rpartition("/")[2]

        await page.keyboard.press("Alt+1")
        await is_settled(page)
        await page.keyboard.press("Control+k")
        await page.keyboard.type(id)
        await expect(page.get_by_role("option", name=id)).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(re.compile(f"/console/contatos/{id}$"))
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        await page.keyboard.press("Escape")
        await page.evaluate("document.activeElement.blur()")
        await page.keyboard.press("Control+k")
        await page.keyboard.type("dark")
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.documentElement.dataset.theme") == "dark"


async def test_a_second_factor_is_asked_for_once_the_password_fits(
    browser: Browser, site: Dev
) -> None:
    email = await a_person(site, "fabi")
    async with httpx.AsyncClient(base_url=site.url) as api:
        body = {"email": email, "password": PASSWORD, "env": "test"}
        opened = (await api.post("/v2/sessions", json=body)).json()
        headers = {"Authorization": f"Bearer {opened['token']}"}
        body = {"currentPassword": PASSWORD}
        begun = await api.post("/v2/me/second-factor", json=body, headers=headers)
        code = code_of(begun.json()["secret"], step_of(now()))
        confirmed = await api.post(
            "/v2/me/second-factor/confirm", json={"code": code}, headers=headers
        )
        recovery = confirmed.json()["recoveryCodes"]
    async with a_visit(browser, site.url, width=PHONE) as visit:
        await visit.open("/console")
        page = visit.page
        await log_in(page, email, "a wrong password")
        await expect(page.get_by_role("alert")).to_contain_text("do not fit")
        await expect(page.locator("input[name=password]")).to_be_focused()
        await page.get_by_role("button", name="Forgot the password").click()
        await expect(page.get_by_role("alert")).to_contain_text("on its way")
        await log_in(page, email)
        field = page.get_by_label("Code of the second factor")
        await expect(field).to_be_focused()
        assert await barriers(page) == []
        await field.fill("000000")
        await field.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("does not fit")
        await field.fill(recovery[0])
        await field.press("Enter")
        await expect(page.locator(".shell")).to_be_visible()
        await is_settled(page)
        assert visit.forgive("401 (Unauthorized)") == 3


async def test_the_organization_is_asked_for_where_several_fit_and_a_lock_is_told(
    browser: Browser, site: Dev
) -> None:
    sent: list[Any] = []
    two = {
        "code": "ORGANIZACAO_AMBIGUA",
        "organizacoes": [{"id": "org_1", "nome": "Padaria"}, {"id": "org_2", "nome": "Mercado"}],
    }

    async def answer(route: Route) -> None:
        if route.request.method != "POST":
            await route.continue_()
            return
        sent.append(route.request.post_data_json)
        first = len(sent) == 1
        await route.fulfill(
            status=422 if first else 429,
            json={"detail": "-", "meta": two if first else {"code": "LOGIN_BLOQUEADO"}},
            headers={"Retry-After": "840"},
        )

    async with a_visit(browser, site.url) as visit:
        page = visit.page
        await page.route("**/console/session", answer)
        await visit.open("/console")
        await log_in(page, "ana@agencia.test")
        await expect(page.get_by_label("Organization")).to_be_focused()
        await expect(page.get_by_role("alert")).to_contain_text("choose one")
        await page.get_by_label("Organization").select_option("Mercado")
        await page.get_by_role("button", name="Log in", exact=True).click()
        await expect(page.get_by_role("alert")).to_contain_text("again in 14 min")
        visit.forgive("422")
        visit.forgive("429")

    common = {"email": "ana@agencia.test", "password": PASSWORD, "env": "test"}
    assert sent == [common, common | {"organizationId": "org_2"}]


async def test_a_session_that_ends_elsewhere_asks_for_another_at_the_same_place(
    browser: Browser, site: Dev
) -> None:
    email = await a_person(site, "gil")
    async with at_work(browser, site, "/console/contatos", email=email) as visit:
        page = visit.page
        await page.locator(".table-link").first.wait_for()
        [cookie] = await page.context.cookies()
        async with httpx.AsyncClient(base_url=site.url) as api:
            headers = {"Authorization": f"Bearer {cookie['value']}"}
            assert (await api.delete("/v2/sessions/current", headers=headers)).is_success

        await page.locator(".table-link").first.click()
        await expect(page.get_by_role("alert")).to_contain_text("Your session is over")
        await log_in(page, email)
        await page.locator(".person").wait_for()
        assert visit.forgive("401 (Unauthorized)") >= 1


async def test_a_pause_is_waiting_and_a_gap_is_made_up_for(browser: Browser, site: Dev) -> None:
    answers: list[str] = ["429", "down", "down", "down", "down"]

    async def answer(route: Route) -> None:
        match answers.pop(0) if answers else "":
            case "429":
                headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
                await route.fulfill(status=429, headers=headers, body=json.dumps({"detail": "-"}))
            case "down":
                await route.abort()
            case _:
                await route.continue_()

    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        await hurry(page)
        await page.route("**/graphql", answer)
        await place(page, "/console/contatos")
        await visit.hears("asked for a pause")
        alert = page.get_by_role("alert").filter(has_text="No connection")
        await expect(alert).to_be_visible()
        await alert.get_by_role("button", name="Try again").click()
        await page.locator(".table-link").first.wait_for()
        await expect(page.locator(".banner")).to_be_empty()
        visit.forgive("429")
        visit.forgive("ERR_FAILED")


async def test_a_tab_that_is_older_than_the_service_opens_itself_anew_once(
    browser: Browser, site: Dev
) -> None:
    loads: list[Page] = []

    async def answer(route: Route) -> None:
        if loads:
            await route.continue_()
        else:
            await route.fulfill(status=404, body="{}")

    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        page.on("load", lambda loaded: loads.append(loaded))  # noqa: PLW0108 - its method takes no mark
        await page.route("**/assets/contatos-*.js", answer)
        await place(page, "/console/contatos")
        await visit.hears("new version")
        await page.locator(".table-link").first.wait_for()
        assert len(loads) == 1
        visit.forgive("404")
        visit.forgive("Failed to fetch dynamically imported module")


async def test_what_happens_is_shown_and_the_figures_follow(browser: Browser, site: Dev) -> None:
    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        sent = {"to": "+5521981230005", "body": "Olá", "route": "premium"}
        headers = {"Authorization": f"Bearer {site.key}"}
        first = page.locator(".latest li").first
        async with httpx.AsyncClient(base_url=site.url, headers=headers) as api:

            async def send() -> None:
                key = {"Idempotency-Key": token_hex(8)}
                answer = await api.post("/v2/sms/messages", json=sent, headers=key)
                assert answer.status_code == 201, answer.text

            await until_shown(first.filter(has_text="+55 (21) 98123-0005"), send)
        await expect(first).to_contain_text("Delivered")
        await expect(page.locator(".channels tbody tr").filter(has_text="SMS")).to_be_visible()
        needs = page.get_by_role("region", name="What needs you")
        await needs.get_by_role("link", name="quality of the number").first.click()
        await expect(page.get_by_role("link", name="Numbers")).to_have_attribute(
            "aria-current", "page"
        )
