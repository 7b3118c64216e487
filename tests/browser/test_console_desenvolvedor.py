"""What developers have in the console: keys that are shown once, webhooks with their deliveries,
and why something was not sent.
"""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import DESK, PHONE, at_work, fits, is_settled, operations_of
from tests.support.dev import Dev
from tests.support.receiver import a_receiver, signed_by
from tests.support.waiting import eventually


async def is_clean(page: Page) -> None:
    await is_settled(page)
    assert (await fits(page), await barriers(page)) == (True, [])


async def test_a_key_is_shown_once_exchanged_and_revoked(browser: Browser, site: Dev) -> None:
    async with at_work(browser, site, "/console/desenvolvedor") as visit:
        page = visit.page
        dialog = page.get_by_role("dialog")
        await is_clean(page)
        await page.get_by_role("button", name="New key").click()
        await dialog.get_by_role("button", name="Create").click()
        await expect(dialog.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
        await dialog.get_by_label("Name").fill("Shop")
        await dialog.get_by_role("button", name="Read only").click()
        await expect(dialog.get_by_label("contacts:read")).to_be_checked()
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Create").click()
        secret = await dialog.locator(".secret").inner_text()
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="I have kept it").click()
        assert secret not in await page.content() + await visit.kept()

        async def opens(key: str) -> bool:
            async with httpx.AsyncClient(base_url=site.url) as api:
                answer = await api.get("/contacts", headers={"Authorization": f"Bearer {key}"})
                return answer.status_code == 200

        assert await opens(secret)
        await page.get_by_role("button", name="Rotate key Shop").click()
        await dialog.get_by_label("Overlap").fill("1")
        await dialog.get_by_role("button", name="Rotate").click()
        newer = await dialog.locator(".secret").inner_text()
        await dialog.get_by_role("button", name="I have kept it").click()
        assert newer != secret
        assert await opens(newer)

        await page.get_by_role("button", name="Revoke key Shop").first.click()
        await dialog.get_by_role("button", name="Revoke").click()
        await expect(page.get_by_role("status").filter(has_text="Key revoked")).to_be_visible()
        await expect(page.get_by_role("row", name=re.compile("^Shop.*Revoked"))).to_be_visible()
        assert not await opens(newer)


Said = Callable[[str, str], str]


async def subscribe(page: Page, url: str, said: Said) -> str:
    """Try an address and subscribe it to new contacts: the secret."""
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name=said("Novo webhook", "New webhook")).click()
    await dialog.get_by_label(said("Endereço", "Address")).fill(url)
    await dialog.get_by_role("button", name=said("Testar", "Try the address")).click()
    await expect(dialog.get_by_role("status")).to_contain_text("200")
    await dialog.get_by_label("contact.created").check()
    assert await barriers(page) == []
    await dialog.get_by_role("button", name=said("Criar", "Create"), exact=True).click()
    secret = await dialog.locator(".secret").inner_text()
    await dialog.get_by_role("button", name=said("Já guardei", "I have kept it")).click()
    await expect(page.get_by_role("heading", name=url)).to_be_visible()
    return secret


async def unsubscribe(page: Page, said: Said) -> str:
    """Pause the webhook of the page, exchange its secret, and remove it: the other secret."""
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name=said("Pausar", "Pause")).click()
    await expect(page.get_by_role("button", name=said("Reativar", "Resume"))).to_be_visible()
    await page.get_by_role("button", name=said("Trocar segredo", "Rotate secret")).click()
    await dialog.get_by_role("button", name=said("Trocar segredo", "Rotate secret")).click()
    secret = await dialog.locator(".secret").inner_text()
    await dialog.get_by_role("button", name=said("Já guardei", "I have kept it")).click()
    await page.get_by_role("button", name=said("Remover", "Remove")).click()
    await dialog.get_by_role("button", name=said("Remover", "Remove")).click()
    await expect(page).to_have_url(re.compile("aba=webhooks"))
    return secret


async def is_delivered(page: Page, count: int) -> None:
    """So many deliveries have arrived, and the page tells it."""

    async def told() -> bool:
        await page.reload()
        await is_settled(page)
        return await page.locator(".table .badge.good").count() == count

    await eventually(told, "it is delivered", every=0.3)


@pytest.mark.parametrize(("locale", "width"), [("pt-BR", PHONE), ("en-US", DESK)])
async def test_a_webhook_is_subscribed_tried_and_its_deliveries_are_sent_again(
    browser: Browser, site: Dev, locale: str, width: int
) -> None:
    portuguese = locale == "pt-BR"

    def said(pt: str, en: str) -> str:
        return pt if portuguese else en

    path = "/console/desenvolvedor?aba=webhooks"
    async with (
        at_work(browser, site, path, locale=locale, width=width) as visit,
        a_receiver() as receiver,
    ):
        page = visit.page
        await is_clean(page)
        secret = await subscribe(page, receiver.url, said)
        asked = operations_of(page)
        await page.reload()
        await is_clean(page)
        assert asked == ["WebhookPage"]
        assert secret not in await page.content() + await visit.kept()

        dialog = page.get_by_role("dialog")
        await page.get_by_role("button", name=said("Enviar amostra", "Send a sample")).click()
        await dialog.get_by_role("button", name=said("Enviar", "Send"), exact=True).click()
        await expect(dialog.get_by_role("status")).to_contain_text("200")
        assert signed_by(secret, receiver.arrivals[-1])
        await page.keyboard.press("Escape")

        async with httpx.AsyncClient(base_url=site.url) as api:
            body = {"phone": f"+55119{91234560 + portuguese}", "name": "Told"}
            headers = {"Authorization": f"Bearer {site.key}"}
            assert (await api.post("/contacts", json=body, headers=headers)).is_success
        await is_delivered(page, 1)
        await page.locator(".table-link").click()
        await expect(page.get_by_role("heading", name="contact.created")).to_be_visible()
        await expect(page.locator(".attempts li")).to_have_count(1)
        await expect(page.locator("pre").filter(has_text='"contact.created"')).to_be_visible()
        await is_clean(page)
        await page.get_by_role("button", name=said("Reenviar", "Replay")).click()
        await expect(page).to_have_url(re.compile("/desenvolvedor/webhooks/"))
        await is_delivered(page, 2)
        await expect(page.locator(".table .tag")).to_have_text(said("Reenvio", "Replay"))
        assert await unsubscribe(page, said) != secret
        await expect(page.get_by_text(receiver.url)).to_have_count(0)


async def test_why_something_was_not_sent_is_found_by_request_and_by_contact(
    browser: Browser, site: Dev
) -> None:
    async with httpx.AsyncClient(base_url=site.url) as api:
        headers = {"Authorization": f"Bearer {site.key}"}
        body = {"phone": "+5511987600042", "name": "Asked about"}
        contact = (await api.post("/contacts", json=body, headers=headers)).json()
        refused = await api.post(
            "/v2/sms/messages",
            json={"to": "+5511987600042", "body": "Oi", "route": "la_dedicada"},
            headers=headers | {"Idempotency-Key": "why-not"},
        )
        problem = refused.json()
    async with at_work(
        browser, site, "/console/desenvolvedor?aba=decisoes", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        await is_clean(page)
        field = page.get_by_label("Número do pedido ou id")
        for asked in (problem["requestId"], problem["meta"]["decisaoId"], contact["id"]):
            await field.fill(asked)
            await field.press("Enter")
            await expect(page).to_have_url(re.compile(f"q={asked}"))
            story = page.locator(".decision").filter(has_text=problem["meta"]["decisaoId"])
            await expect(story).to_contain_text("Parou aqui")
            await expect(story).to_contain_text("O que fazer")
        await is_clean(page)
        await field.fill("req_nobody")
        await field.press("Enter")
        await expect(page.get_by_text("Nada com este número")).to_be_visible()
