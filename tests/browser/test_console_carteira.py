"""The wallet in the console: balance, statement, proof of the day, quotes and the warning."""

import re

import httpx
import pytest
from playwright.async_api import Browser, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import DESK, PHONE, at_work, fits, is_settled
from tests.support.dev import Dev


@pytest.mark.parametrize(("locale", "width"), [("pt-BR", PHONE), ("en-US", DESK)])
async def test_where_the_money_went_is_told_and_prices_are_promised(
    browser: Browser, site: Dev, locale: str, width: int
) -> None:
    portuguese = locale == "pt-BR"

    def said(pt: str, en: str) -> str:
        return pt if portuguese else en

    async with httpx.AsyncClient(base_url=site.url) as api:
        sent = await api.post(
            "/v2/sms/messages",
            json={"to": "+5511987651234", "body": "Oi", "route": "premium"},
            headers={"Authorization": f"Bearer {site.key}", "Idempotency-Key": f"paid-{locale}"},
        )
        assert sent.is_success, sent.text
    async with at_work(browser, site, "/console/carteira", locale=locale, width=width) as visit:
        page = visit.page
        await page.locator(".money").first.wait_for()
        await is_settled(page)
        assert await fits(page)
        proof = page.get_by_role("region", name=said("Prova do dia", "Proof of the day"))
        await expect(proof).to_contain_text(said("Os saldos conferem", "The balances equal"))

        await page.get_by_label(said("Movimento", "Movement")).select_option("CREDITO")
        await expect(page).to_have_url(re.compile("tipo=CREDITO"))
        rows = page.locator(".table-body .badge")
        await expect(rows.first).to_have_text(said("Crédito", "Credit"))
        await page.get_by_role("button", name=said("Encher", "Fill the test wallet")).click()
        await visit.hears(said("está cheia", "is full"))

        dialog = page.get_by_role("dialog")
        await page.get_by_role("button", name=said("Nova cotação", "New quote")).click()
        await dialog.get_by_label(said("Rota", "Route")).select_option("premium")
        await dialog.get_by_label(said("Quantidade", "Quantity")).fill("0")
        await dialog.get_by_role("button", name=said("Cotar", "Ask")).click()
        await expect(dialog.get_by_label(said("Quantidade", "Quantity"))).to_have_attribute(
            "aria-invalid", "true"
        )
        assert await barriers(page) == []
        await dialog.get_by_label(said("Quantidade", "Quantity")).fill("250")
        await dialog.get_by_role("button", name=said("Cotar", "Ask")).click()
        quotes = page.get_by_role("region", name=said("Cotações válidas", "Quotes that hold"))
        await expect(quotes).to_contain_text("250 × premium (SMS)")
        await quotes.get_by_role("button").click()
        await expect(quotes).to_contain_text(said("Nenhuma cotação", "No quotes"))

        await page.get_by_role("button", name=said("Mudar aviso", "Change the warning")).click()
        await dialog.get_by_label(said("Avisar abaixo", "Warn below")).fill("12.5")
        await dialog.get_by_role("button", name=said("Salvar", "Save")).click()
        await expect(page.locator(".figures")).to_contain_text(re.compile(r"12[.,]50"))
        await is_settled(page)
        assert (await fits(page), await barriers(page)) == (True, [])
