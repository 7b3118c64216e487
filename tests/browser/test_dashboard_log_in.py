"""How people log in to the dashboard: e-mail, password and second factor, in two languages."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page, Route, expect

from core.foundation.clock import now
from core.organizations.second_factor.totp import code_of, step_of
from tests.browser.barriers import barriers
from tests.browser.test_account_page import PASSWORD, invited
from tests.browser.visits import Visit, a_visit
from tests.support.dev import Dev


async def a_person(site: Dev, name: str) -> str:
    """The address of somebody who was invited and has accepted."""
    email = f"{name}.{token_hex(4)}@example.com"
    token = (await invited(site, email)).partition("=")[2]
    async with httpx.AsyncClient(base_url=site.url) as api:
        accepted = await api.post(
            "/v2/accounts/accept", json={"token": token, "password": PASSWORD}
        )
    assert accepted.is_success, accepted.text
    return email


async def session_of(api: httpx.AsyncClient, email: str, **more: str) -> dict[str, str]:
    """The header of a session of the API."""
    body = {"email": email, "password": PASSWORD, "env": "test", **more}
    opened = (await api.post("/v2/sessions", json=body)).json()
    return {"Authorization": f"Bearer {opened['token']}"}


async def fill_in(page: Page, email: str, password: str = PASSWORD) -> None:
    await page.get_by_label(re.compile("^E-mail")).fill(email)
    await page.get_by_label(re.compile("^(Password|Senha)")).fill(password)
    await page.get_by_label("Sandbox").check()
    await page.keyboard.press("Enter")


@asynccontextmanager
async def logged_in(
    browser: Browser, site: Dev, email: str, **options: Any
) -> AsyncIterator[Visit]:
    async with a_visit(browser, site.url, **options) as visit:
        await visit.open("/dashboard")
        await fill_in(visit.page, email)
        await is_open(visit.page)
        yield visit


async def is_open(page: Page) -> None:
    await expect(page.locator("#board")).to_be_visible()
    await expect(page.locator("[aria-busy]")).to_have_count(0)
    await expect(page.locator(".state")).to_have_text(re.compile("^(Live|Ao vivo)$"))


async def test_the_log_in_lasts_over_a_reload_until_one_logs_out(
    browser: Browser, site: Dev
) -> None:
    email = await a_person(site, "dora")
    async with logged_in(browser, site, email) as visit:
        page = visit.page
        await expect(page.locator(".env")).to_have_text("Sandbox")
        await expect(page.locator("#controls")).to_contain_text("Caio")
        assert "svc_sess" not in await visit.kept()
        assert PASSWORD not in await visit.kept() + await page.content()

        await page.reload()
        await is_open(page)
        await page.get_by_role("button", name="Log out").click()

        await expect(page.get_by_label("E-mail")).to_be_focused()
        assert await page.context.cookies() == []
        await page.reload()
        await expect(page.get_by_label("E-mail")).to_be_focused()


async def test_portuguese_is_spoken_to_who_asks_for_it(browser: Browser, site: Dev) -> None:
    email = await a_person(site, "edu")
    async with a_visit(browser, site.url, locale="pt-BR", width=390) as visit:
        await visit.open("/dashboard")
        page = visit.page
        await expect(page.get_by_role("heading", name="Suas mensagens")).to_be_visible()
        assert await barriers(page) == []
        await fill_in(page, email, "a wrong password")
        await expect(page.get_by_role("alert")).to_contain_text("E-mail ou senha incorretos.")
        await expect(page.get_by_label("Senha")).to_be_focused()
        await fill_in(page, email)
        await is_open(page)
        for title in ("Mensagens", "Ao vivo", "Quadro de vendas", "Contatos"):
            await expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == "pt-BR"
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await barriers(page) == []
        assert visit.forgive("401 (Unauthorized)") == 1


async def test_a_second_factor_is_asked_for_once_the_password_fits(
    browser: Browser, site: Dev
) -> None:
    email = await a_person(site, "fabi")
    async with httpx.AsyncClient(base_url=site.url) as api:
        headers = await session_of(api, email)
        body = {"currentPassword": PASSWORD}
        begun = await api.post("/v2/me/second-factor", json=body, headers=headers)
        assert begun.is_success, begun.text
        secret = begun.json()["secret"]
        code = code_of(secret, step_of(now()))
        confirmed = await api.post(
            "/v2/me/second-factor/confirm", json={"code": code}, headers=headers
        )
        assert confirmed.is_success, confirmed.text
        recovery = confirmed.json()["recoveryCodes"]
    async with a_visit(browser, site.url) as visit:
        await visit.open("/dashboard")
        page = visit.page
        field = page.get_by_label("Code of the second factor")
        await expect(field).to_be_hidden()
        await fill_in(page, email)
        await expect(field).to_be_focused()
        await expect(page.get_by_role("alert")).to_contain_text("six digits")
        await field.fill("000000")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("does not fit")

        await field.fill(recovery[0])
        await page.keyboard.press("Enter")

        await is_open(page)
        assert visit.forgive("401 (Unauthorized)") == 2


async def test_a_session_that_ends_elsewhere_asks_for_another(browser: Browser, site: Dev) -> None:
    email = await a_person(site, "gil")
    async with logged_in(browser, site, email) as visit:
        [cookie] = await visit.page.context.cookies()
        async with httpx.AsyncClient(base_url=site.url) as api:
            headers = {"Authorization": f"Bearer {cookie['value']}"}
            assert (await api.delete("/v2/sessions/current", headers=headers)).is_success

        await visit.cut()

        alert = visit.page.get_by_role("alert")
        await expect(alert).to_contain_text("Your session is over.", timeout=30_000)
        await expect(visit.page.get_by_label("E-mail")).to_be_focused()
        await expect(visit.page.locator(".panel")).to_have_count(0)
        assert visit.forgive("401 (Unauthorized)") >= 1


@pytest.mark.parametrize("same", [True, False])
async def test_another_tab_logs_in(browser: Browser, site: Dev, same: bool) -> None:
    first = await a_person(site, "hugo")
    second = first if same else await a_person(site, "iris")
    async with logged_in(browser, site, first) as visit:
        other = await visit.page.context.new_page()
        await other.goto(f"{site.url}/account")
        status = await other.evaluate(
            """async (body) => (await fetch("/console/session", {
              method: "POST", headers: {"Content-Type": "application/json"}, body,
            })).status""",
            httpx.Request(
                "POST", "http://x", json={"email": second, "password": PASSWORD, "env": "test"}
            ).content.decode(),
        )
        assert status == 201

        await visit.page.get_by_label("Search contacts").fill("a")

        if same:
            await expect(visit.page.locator(".found")).to_contain_text("Searching needs")
            await is_open(visit.page)
        else:
            alert = visit.page.get_by_role("alert")
            await expect(alert).to_contain_text("Your session is over.")
            await expect(visit.page.locator(".panel")).to_have_count(0)
        assert visit.forgive("403 (Forbidden)") >= 1


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
        await visit.open("/dashboard")
        await fill_in(page, "ana@agencia.test")
        await expect(page.get_by_label("Organization")).to_be_focused()
        await expect(page.get_by_role("alert")).to_contain_text("choose one")
        assert await barriers(page) == []
        await page.get_by_label("Organization").select_option("Mercado")
        await page.get_by_role("button", name="Log in", exact=True).click()
        await expect(page.get_by_role("alert")).to_contain_text("again in 14 min")
        visit.forgive("422")
        visit.forgive("429")

    common = {"email": "ana@agencia.test", "password": PASSWORD, "env": "test"}
    assert sent == [common, common | {"organizationId": "org_2"}]
