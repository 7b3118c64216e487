"""The team in the console: who is invited, changed and suspended, and the audit trail of it."""

import re
from secrets import token_hex

import pytest
from playwright.async_api import Browser, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import DESK, PHONE, at_work, fits, is_settled, operations_of
from tests.support.dev import Dev


@pytest.mark.parametrize(("locale", "width"), [("pt-BR", PHONE), ("en-US", DESK)])
async def test_a_person_is_invited_changed_and_suspended_and_the_trail_tells(
    browser: Browser, site: Dev, locale: str, width: int
) -> None:
    portuguese = locale == "pt-BR"

    def said(pt: str, en: str) -> str:
        return pt if portuguese else en

    name = f"Lia {token_hex(3)}"
    async with at_work(browser, site, locale=locale, width=width) as visit:
        page = visit.page
        await is_settled(page)
        asked = operations_of(page)
        await visit.open("/console/equipe")
        await page.locator(".sheet").wait_for()
        await is_settled(page)
        assert (asked, await fits(page), await barriers(page)) == (["TeamPeople"], True, [])

        dialog = page.get_by_role("dialog")
        await page.get_by_role("button", name=said("Convidar", "Invite"), exact=True).click()
        await dialog.get_by_label(said("Nome", "Name")).fill(name)
        await dialog.get_by_role("button", name=said("Convidar", "Invite"), exact=True).click()
        await expect(dialog.get_by_label("E-mail")).to_have_attribute("aria-invalid", "true")
        assert await barriers(page) == []
        await dialog.get_by_label("E-mail").fill(f"lia.{token_hex(4)}@example.com")
        await dialog.get_by_role("button", name=said("Convidar", "Invite"), exact=True).click()
        await expect(dialog.locator(".secret")).to_contain_text("/account")
        await dialog.get_by_role("button", name=said("Já guardei", "I have kept it")).click()

        row = page.get_by_role("row").filter(has_text=name)
        await expect(row).to_contain_text(said("Convidado", "Invited"))
        await row.get_by_role("button", name=said("Alterar", "Change")).click()
        await dialog.get_by_label(said("Papel", "Role")).select_option("ADMIN")
        await dialog.get_by_role("button", name=said("Salvar", "Save")).click()
        await expect(row).to_contain_text(said("Administrador", "Administrator"))
        await row.get_by_role("button", name=said("Suspender", "Suspend")).click()
        await dialog.get_by_role("button", name=said("Suspender", "Suspend")).click()
        await expect(row).to_contain_text(said("Suspenso", "Suspended"))
        assert (await fits(page), await barriers(page)) == (True, [])

        await page.get_by_role("link", name=said("Auditoria", "Audit trail")).click()
        await page.get_by_label(said("Ação", "Action")).fill("session.opened")
        entries = page.locator(".table-body .code")
        await expect(entries.first).to_have_text("session.opened")
        await page.get_by_label(said("Quem", "Who")).select_option("Owner")
        await expect(page).to_have_url(re.compile("quem=acc_"))
        await is_settled(page)
        assert (await fits(page), await barriers(page)) == (True, [])
