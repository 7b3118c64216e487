"""Sending from the console: the price and why not are seen first, what was sent is followed, and a lost
answer sends nothing twice. What is stored of a person is handed over, and erased.
"""

import asyncio
import json
import re
from datetime import timedelta
from secrets import randbelow
from typing import Any

from playwright.async_api import Browser, Locator, Page, Route, expect

from core.foundation.clock import now, wire_time
from tests.browser.barriers import barriers
from tests.browser.console_visits import (
    PHONE,
    a_person,
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


async def somebody(site: Dev, name: str, *, ends: str = "0005", **more: Any) -> str:
    """The id of a new contact, whose phone ends so: that decides what the sandbox reports."""
    phone = f"+55119{randbelow(9000) + 1000}{ends}"
    made: dict[str, Any] = await api(
        site, "POST", "/contacts", json={"phone": phone, "name": name, **more}
    )
    return str(made["id"])


async def sent_to(site: Dev, contact: str) -> list[dict[str, Any]]:
    """What was sent to a contact, on any channel."""
    document = 'query { messages(first: 20, filter: {contactId: "%s", direction: OUTBOUND}) { nodes { id channel status } } }'
    answer = await api(site, "POST", "/graphql", json={"query": document % contact})
    nodes: list[dict[str, Any]] = answer["data"]["messages"]["nodes"]
    return nodes


def button(page: Page) -> Locator:
    """The one that sends; in the sandbox it says so."""
    return page.get_by_role("button", name=re.compile("^(Enviar no teste|Send in the test)"))


async def becomes(page: Page, status: str) -> None:
    """The message on the screen comes to this state by itself."""
    await expect(page.locator(f"[data-status={status}]")).to_be_visible()


async def test_an_sms_is_priced_sent_and_followed_on_a_phone(browser: Browser, site: Dev) -> None:
    id = await somebody(site, "Lia Prado")
    async with at_work(
        browser, site, f"/console/contatos/{id}", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        asked = operations_of(page)
        await page.get_by_role("link", name="Enviar mensagem").click()
        await expect(page.get_by_role("heading", name="Mensagem para Lia Prado")).to_be_visible()
        await expect(page.get_by_role("radio", name="SMS")).to_be_checked()
        await expect(page.get_by_role("radio", name="E-mail")).to_be_disabled()
        await expect(page.get_by_text("O contato não tem e-mail")).to_be_visible()
        await expect(page.get_by_text("Isto é um teste (sandbox)")).to_be_visible()
        await expect(button(page)).to_be_disabled()
        assert asked == ["SendRecipient"]

        await page.get_by_label("Texto", exact=True).fill(
            "Olá, Lia! Sua mesa está reservada às 19 h."
        )
        facts = page.locator(".send-before .facts")
        await expect(facts).to_contain_text("1 SMS, 42 caracteres")
        await expect(facts).to_contain_text("Ola, Lia!")
        price = await facts.locator("dd").first.inner_text()
        assert re.fullmatch(r"R\$\s0,0\d+", price)
        await expect(button(page)).to_have_text(f"Enviar no teste por {price}")
        await page.get_by_text("Todas as regras").click()
        await expect(page.locator(".send-before li").first).to_be_visible()
        assert (await fits(page), await barriers(page)) == (True, [])

        await button(page).click()
        await expect(page.get_by_role("heading", name="Mensagem aceita")).to_be_visible()
        await becomes(page, "DELIVERED")
        await expect(page.get_by_role("status").filter(has_text="Estado: Entregue")).to_be_visible()
        assert (await fits(page), await barriers(page)) == (True, [])
        [message] = await sent_to(site, id)
        assert (message["channel"], message["status"]) == ("SMS", "DELIVERED")
        await page.reload()
        await becomes(page, "DELIVERED")
        await page.get_by_role("link", name="Enviar outra").click()
        await expect(page.get_by_label("Texto", exact=True)).to_have_value("")


async def test_a_lost_answer_sends_nothing_twice(browser: Browser, site: Dev) -> None:
    id = await somebody(site, "Tom Reis")
    keys: list[str] = []
    back: list[bool] = []

    async def lose_the_answer(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body.get("operationName") != "SendOneSms":
            await route.continue_()
            return
        keys.append(body["variables"]["idempotencyKey"])
        if back:
            await route.continue_()
            return
        assert (await route.fetch()).ok  # the service has taken it
        await route.abort()

    async with at_work(browser, site, f"/console/enviar?contato={id}") as visit:
        page = visit.page
        text = page.get_by_label("Text", exact=True)
        await text.fill("Your table is ready")
        await expect(button(page)).to_be_enabled()
        await hurry(page)
        await page.route("**/graphql", lose_the_answer)
        await text.press("Control+Enter")
        await eventually(lambda: len(keys) > 1, "it is tried again by itself")
        await page.reload()
        tried = len(keys)
        await eventually(lambda: len(keys) > tried, "a reload goes on with it")
        await expect(page.get_by_text("Tom Reis gets the message once")).to_be_visible()
        back.append(True)
        await page.get_by_role("button", name="Try now").click()
        await becomes(page, "DELIVERED")

        assert len(set(keys)) == 1
        assert len(await sent_to(site, id)) == 1
        visit.forgive("ERR_FAILED")


async def test_what_waits_in_the_test_does_not_leave_in_production(
    browser: Browser, site: Dev
) -> None:
    id = await somebody(site, "Vera Luz")
    keys: list[str] = []
    moved = asyncio.Event()

    async def pause(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body.get("operationName") != "SendOneSms":
            await route.continue_()
            return
        keys.append(body["variables"]["idempotencyKey"])
        if len(keys) > 1:
            await route.continue_()
            return
        await moved.wait()
        headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
        await route.fulfill(status=429, headers=headers, body="{}")

    async def moves_to(page: Page, environment: str) -> None:
        await page.get_by_role("button", name="Demo").click()
        await page.get_by_role("menuitemradio", name=environment).click()
        await visit.hears(f"Now in {environment}")

    async with at_work(browser, site, f"/console/enviar?contato={id}") as visit:
        page = visit.page
        await page.get_by_label("Text", exact=True).fill("Only a rehearsal")
        await expect(button(page)).to_be_enabled()
        await hurry(page)
        await page.route("**/graphql", pause)
        await button(page).click()
        await eventually(lambda: keys, "it is tried")
        await moves_to(page, "Live")
        moved.set()
        await visit.hears("asked for a pause")
        await expect(page.locator(".banner")).to_be_empty()
        await go(page, "/contatos")
        await is_settled(page)
        assert len(keys) == 1

        await moves_to(page, "Test")
        await go(page, "/enviar")
        await becomes(page, "DELIVERED")
        assert len(set(keys)) == 1
        assert len(await sent_to(site, id)) == 1
        visit.forgive("429")


async def test_what_waits_can_be_given_up_and_a_refusal_keeps_what_was_typed(
    browser: Browser, site: Dev
) -> None:
    id = await somebody(site, "Uli Braga")
    answers: list[Any] = []

    async def answer(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body.get("operationName") != "SendOneSms":
            await route.continue_()
        elif answers:
            await route.fulfill(json=answers.pop())
        else:
            await route.abort()

    def refusal(code: str, message: str) -> dict[str, Any]:
        told = {"code": code, "requestId": "req_toldToPeople"}
        return {"data": None, "errors": [{"message": message, "extensions": told}]}

    async with at_work(browser, site, f"/console/enviar?contato={id}") as visit:
        page = visit.page
        await page.get_by_label("Text", exact=True).fill("Half a promise")
        await page.route("**/graphql", answer)

        answers.append(refusal("PAYMENT_REQUIRED", "The balance does not cover it."))
        await button(page).click()
        alert = page.get_by_role("alert").filter(has_text="The balance does not cover it.")
        await expect(alert).to_contain_text("req_toldToPeople")
        await expect(page.get_by_label("Text", exact=True)).to_have_value("Half a promise")
        assert await barriers(page) == []

        await button(page).click()
        await expect(page.get_by_text("The service has not confirmed it yet")).to_be_visible()
        await expect(page.get_by_role("button", name="Try now")).to_be_visible()
        assert await barriers(page) == []
        await page.get_by_role("button", name="Give up").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("It may have left already")
        await dialog.get_by_role("button", name="Give up").click()
        await expect(page.get_by_label("Text", exact=True)).to_have_value("Half a promise")
        assert await sent_to(site, id) == []
        visit.forgive("ERR_FAILED")


async def test_who_refused_offers_is_told_and_gets_notices(browser: Browser, site: Dev) -> None:
    id = await somebody(site, "Ivo Dias", email="ivo@example.com")
    closed = {"contactIds": [id], "canal": "sms", "motivo": "pediu"}
    await api(site, "POST", "/contacts/opt-out", json=closed)
    async with at_work(
        browser, site, f"/console/enviar?contato={id}", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        await expect(page.get_by_text("A pessoa fechou este canal")).to_be_visible()
        await page.get_by_label("Texto", exact=True).fill("Promoção de sábado")
        no = page.locator(".send-before .notice.bad")
        await expect(no).to_contain_text("Não pode sair")
        await expect(no).to_contain_text("Consentimento")
        await expect(button(page)).to_be_disabled()
        assert (await fits(page), await barriers(page)) == (True, [])
        await page.get_by_label("O que é").select_option("transacional")
        await expect(page.get_by_text("Pode sair agora")).to_be_visible()
        await expect(button(page)).to_be_enabled()

        await page.get_by_role("radio", name="E-mail").check()
        await expect(button(page)).to_be_disabled()
        await page.get_by_label("Assunto").fill("Seu recibo")
        await expect(page.get_by_text("Pode sair agora")).to_be_visible()
        await button(page).click()
        await becomes(page, "DELIVERED")
        [message] = await sent_to(site, id)
        assert message["channel"] == "EMAIL"


async def test_outside_of_the_window_a_template_is_sent(browser: Browser, site: Dev) -> None:
    id = await somebody(site, "Noa Serra")
    async with at_work(browser, site, f"/console/enviar?contato={id}") as visit:
        page = visit.page
        await page.get_by_role("radio", name="WhatsApp").check()
        await expect(page.get_by_text("only a template can be sent")).to_be_visible()
        await expect(page.get_by_label("Text", exact=True)).to_have_count(0)
        await page.get_by_label("Template").select_option(index=1)
        for field in await page.locator(".filling input").all():
            await field.fill("amanhã")
        await expect(page.get_by_text("It can leave now")).to_be_visible()
        assert await barriers(page) == []
        await button(page).click()
        await becomes(page, "READ")
        [message] = await sent_to(site, id)
        assert message["channel"] == "WHATSAPP"


async def test_somebody_is_found_and_an_operator_sees_why_a_channel_is_shut(
    browser: Browser, site: Dev
) -> None:
    id = await somebody(site, "Quirino Vidal")
    async with at_work(browser, site, width=PHONE, locale="pt-BR") as visit:
        page = visit.page
        await is_settled(page)
        await page.locator("nav.bar").get_by_role("link", name="Enviar").click()
        await page.get_by_role("searchbox").fill("quirino")
        people = page.get_by_role("list", name="Pessoas").get_by_role("link")
        await expect(people).to_have_count(1)
        assert (await fits(page), await barriers(page)) == (True, [])
        await people.first.press("Enter")
        await expect(page).to_have_url(re.compile(f"contato={id}$"))
        await go(page, "/enviar")
        await page.get_by_role("searchbox").fill("ninguém com este nome")
        await expect(page.get_by_text("Ninguém com este texto")).to_be_visible()
    email = await a_person(site, "iara")
    async with at_work(browser, site, f"/console/enviar?contato={id}", email=email) as visit:
        page = visit.page
        await expect(page.get_by_role("radio", name="SMS")).to_be_disabled()
        await expect(page.get_by_text("(sms:send) is missing")).to_be_visible()
        await expect(page.get_by_role("radio", name="WhatsApp")).to_be_checked()


async def its_data_is_handed_over(visit: Visit, id: str) -> None:
    """As a file, whole; of it nothing is kept in the browser."""
    page, dialog = visit.page, visit.page.get_by_role("dialog")
    await page.get_by_role("button", name="Entregar os dados").click()
    await expect(dialog).to_contain_text("fica registrado na auditoria")
    assert (await fits(page), await barriers(page)) == (True, [])
    async with page.expect_download() as download:
        await dialog.get_by_role("button", name="Baixar o arquivo").click()
    file = await download.value
    data = json.loads((await file.path()).read_text(encoding="utf-8"))
    assert (file.suggested_filename, data["contato"]["id"]) == (f"{id}.json", id)
    assert data["documentos"] == {"cpf": "52998224725"}
    await expect(dialog).to_contain_text("Consentimentos: 0")
    assert (await barriers(page), "52998224725" in await visit.kept()) == ([], False)
    await page.keyboard.press("Escape")


async def test_what_is_stored_of_a_person_is_handed_over_and_erased(
    browser: Browser, site: Dev
) -> None:
    id = await somebody(site, "Zélia Moura", cpf="529.982.247-25")
    tomorrow = wire_time(now() + timedelta(days=1))
    later = {"to": "+5511988880005", "contactId": id, "body": "Até já", "route": "premium"}
    key = {"Idempotency-Key": f"later-{id}"}
    await api(site, "POST", "/v2/sms/messages", json=later | {"scheduledAt": tomorrow}, headers=key)
    async with at_work(
        browser, site, f"/console/contatos/{id}", width=PHONE, locale="pt-BR"
    ) as visit:
        page, dialog = visit.page, visit.page.get_by_role("dialog")
        await its_data_is_handed_over(visit, id)

        await page.get_by_role("button", name="Apagar", exact=True).click()
        erase = dialog.get_by_role("button", name="Apagar", exact=True)
        await expect(dialog).to_contain_text("1 mensagem que espera sair é cancelada")
        await expect(dialog).to_contain_text("1 mensagem, com estado")
        await expect(erase).to_be_disabled()
        field = dialog.get_by_label("Para confirmar, escreva o nome: Zélia Moura")
        await field.fill("Zélia")
        await expect(erase).to_be_disabled()
        await field.fill("zelia  moura ")
        assert (await fits(page), await barriers(page)) == (True, [])
        await field.press("Enter")
        await visit.hears("Contato apagado")
        await expect(page).to_have_url(re.compile("/console/contatos$"))
    email = await a_person(site, "olga")
    other = await somebody(site, "Pia Melo")
    async with at_work(browser, site, f"/console/contatos/{other}", email=email) as visit:
        page = visit.page
        await expect(page.get_by_text("(contacts:pii) is missing")).to_be_visible()
        await expect(page.get_by_role("button", name="Hand the data over")).to_have_count(0)
        await expect(page.get_by_role("button", name="Erase", exact=True)).to_be_visible()
