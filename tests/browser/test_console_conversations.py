"""Conversas in the console: what arrives is seen at once, what is answered arrives once, and a
closed window takes templates only.
"""

import re
from base64 import b64decode
from typing import Any

import httpx
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits, is_settled, until_shown
from tests.support.dev import Dev

ANA = "+5511987650005"
"""Whoever this is sent to gets it and reads it."""


async def asked(site: Dev, method: str, path: str, **options: Any) -> Any:
    async with httpx.AsyncClient(
        base_url=site.url, headers={"Authorization": f"Bearer {site.key}"}
    ) as api:
        answer = await api.request(method, path, **options)
    assert answer.is_success, answer.text
    return answer.json()


async def number_of(site: Dev) -> str:
    return str((await asked(site, "GET", "/numbers"))["items"][0]["id"])


async def writes(site: Dev, number: str, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    body = {"numberId": number, "from": ANA, "type": kind, "payload": payload}
    received: dict[str, Any] = await asked(
        site, "POST", "/v2/sandbox/messages/inbound", json=body | {"profileName": "Ana Lima"}
    )
    return received


PIXEL = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def its_file_is_saved(page: Page) -> None:
    """What may hold a script is never opened in place."""
    async with page.expect_download() as download:
        await page.get_by_role("log").get_by_role("link", name="padaria.vcf").last.click()
    saved = await (await download.value).path()
    assert saved.read_bytes().startswith(b"BEGIN:VCARD")


async def a_picture_is_sent(page: Page) -> None:
    """With a ticket, and shown as it went; one that the service does not take keeps what was typed."""
    picture = {"name": "bolo.png", "mimeType": "image/png", "buffer": PIXEL}
    empty = {"name": "nada.txt", "mimeType": "text/plain", "buffer": b""}
    picker, send = page.locator("input[type=file]"), page.get_by_role("button", name="Send")
    await picker.set_input_files(empty)  # type: ignore[arg-type]
    caption = page.get_by_role("textbox", name="Caption")
    await caption.fill("Ficou assim")
    await send.click()
    await expect(page.get_by_role("alert").filter(has_text="bytes")).to_be_visible()
    assert (await fits(page), await barriers(page)) == (True, [])
    await picker.set_input_files(picture)  # type: ignore[arg-type]
    await expect(caption).to_have_value("Ficou assim")
    await send.click()
    sent = page.get_by_role("log").locator(".line.ours").filter(has_text="Ficou assim").last
    shown = sent.get_by_role("img")
    await expect(shown).to_be_visible()
    await page.wait_for_function("document.querySelector('.line.ours img').naturalWidth === 1")
    await expect(page.get_by_role("textbox", name="Answer")).to_have_value("")


async def test_somebody_writes_and_is_answered_once(browser: Browser, site: Dev) -> None:
    number = await number_of(site)
    uploaded = await asked(
        site,
        "POST",
        f"/numbers/{number}/media/binary",
        content=b"BEGIN:VCARD\nVERSION:4.0\nFN:Padaria\nEND:VCARD\n",
        headers={
            "Content-Type": "application/octet-stream",
            "x-filename": "padaria.vcf",
            "x-content-type": "text/vcard",
        },
    )
    async with at_work(browser, site, "/console/conversas") as visit:
        page = visit.page
        await is_settled(page)
        rows = page.get_by_role("navigation", name="Conversations by activity").get_by_role("link")
        await expect(rows.nth(1)).to_be_visible()

        async def ana_writes() -> None:
            await writes(site, number, "text", {"text": "Cadê meu pedido?"})

        await until_shown(rows.first.filter(has_text="Cadê meu pedido?"), ana_writes)
        await rows.first.click()
        log = page.get_by_role("log")
        await expect(log).to_contain_text("Cadê meu pedido?")
        await expect(page.get_by_text("Answer freely until")).to_be_visible()
        file = {"id": uploaded["mediaId"], "caption": "Meu cartão", "filename": "padaria.vcf"}
        await writes(site, number, "media", {"kind": "document", "media": file})
        await expect(log.locator(".line-file").last).to_contain_text("padaria.vcf")
        assert (await fits(page), await barriers(page)) == (True, [])

        await its_file_is_saved(page)

        answer = page.get_by_role("textbox", name="Answer")
        await a_picture_is_sent(page)
        assert visit.forgive("422") == 1, "the browser says so of every refused request"
        before = await log.locator(".line.ours").count()
        await answer.fill("Saiu para entrega")
        await answer.press("Enter")
        ours = log.locator(".line.ours")
        await expect(ours).to_have_count(before + 1)
        await expect(ours.last).to_have_attribute("data-status", "READ")

        async def answer_is_lost(route: Route) -> None:
            """The service takes the message, and the page is never told."""
            if "SendConversationMessage" in (route.request.post_data or ""):
                await route.fetch()
                await route.abort()
            else:
                await route.continue_()

        await page.route("**/graphql", answer_is_lost)
        await answer.fill("Chega às quatro")
        await answer.press("Enter")
        going = log.locator(".line.going")
        await expect(going).to_contain_text("sent once only")
        assert visit.forgive("Failed to load resource") > 0
        await page.unroute("**/graphql")
        await page.reload()
        await expect(going).to_have_count(0)
        await expect(log.locator(".line.ours")).to_have_count(before + 2)
        [contact] = re.findall(r"contato=(cnt_\w+)", page.url)
        sent = await asked(site, "GET", f"/messages?contactId={contact}")
        payloads = [one["payload"] for one in sent["items"] if one["direction"] == "outbound"]
        assert [one.get("text") for one in payloads[:3]] == [
            "Chega às quatro",
            "Saiu para entrega",
            None,
        ]
        assert payloads[2]["media"]["caption"] == "Ficou assim"


async def test_a_closed_window_takes_a_template_on_a_phone(browser: Browser, site: Dev) -> None:
    path = "/console/conversas?janela=fechada"
    async with at_work(browser, site, path, width=PHONE, locale="pt-BR") as visit:
        page = visit.page
        await is_settled(page)
        rows = page.get_by_role("navigation", name="Conversas por atividade").get_by_role("link")
        assert (await fits(page), await barriers(page)) == (True, [])

        await rows.first.click()
        await expect(rows.first).to_be_hidden()
        await expect(page.get_by_text("só um template pode ser enviado")).to_be_visible()
        await expect(page.get_by_role("textbox", name="Resposta")).to_have_count(0)
        await page.get_by_label("Template").select_option(index=1)
        for field in await page.locator(".thread-foot .filling input").all():
            await field.fill("amanhã")
        await expect(page.get_by_label("Como a pessoa vê")).not_to_contain_text("{{")
        assert (await fits(page), await barriers(page)) == (True, [])
        before = await page.locator(".line.ours[data-status]").count()
        await page.get_by_role("button", name="Enviar").click()
        ours = page.get_by_role("log").locator(".line.ours")
        await expect(ours).to_have_count(before + 1)
        await expect(page.locator(".line.going")).to_have_count(0)
        await page.get_by_role("link", name="Todas as conversas").click()
        await expect(rows.first).to_be_visible()
