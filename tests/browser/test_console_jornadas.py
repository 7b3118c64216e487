"""Journeys in the console: found, drawn, rehearsed, edited, run, watched and put away."""

import re
from typing import Any

import httpx
from playwright.async_api import Browser, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits, is_settled, operations_of
from tests.support.dev import Dev

VIP = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}}


def a_journey(name: str, **ways: str) -> dict[str, Any]:
    """A welcome, a question whether somebody is a VIP, and what follows where `ways` lead."""
    steps: list[dict[str, Any]] = [
        {"id": "vip", "tipo": "condicao", "rotulo": "É VIP?", "config": {"filterTree": VIP, **ways}}
    ]
    if ways:
        wait = {"id": "wait", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "ask"}
        ask = {"canal": "sms", "texto": "Did it work?"}
        gift = {"canal": "email", "texto": "A gift for you", "assunto": "A gift"}
        steps += [
            wait,
            {"id": "ask", "tipo": "mensagem", "config": ask},
            {"id": "gift", "tipo": "mensagem", "rotulo": "Presente", "config": gift},
        ]
    hello = {"canal": "sms", "texto": "Welcome!"}
    steps.insert(0, {"id": "hello", "tipo": "mensagem", "config": hello, "proximo": "vip"})
    return {
        "name": name,
        "gatilho": {"nome": "signup"},
        "meta": {"evento": "purchase"},
        "passos": steps,
        "entradaPasso": "hello",
    }


async def api_of(site: Dev, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What the service answers to the demo's key."""
    headers = {"Authorization": f"Bearer {site.key}"}
    async with httpx.AsyncClient(base_url=site.url, headers=headers) as api:
        answer = await api.post(path, json=body)
    assert answer.is_success, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


async def made(site: Dev, name: str, **ways: str) -> str:
    """The id of a new draft."""
    id: str = (await api_of(site, "/v2/journeys", a_journey(name, **ways)))["id"]
    return id


async def a_contact(site: Dev, phone: str, name: str) -> str:
    id: str = (await api_of(site, "/contacts", {"phone": phone, "name": name}))["id"]
    return id


async def test_a_journey_is_found_drawn_and_rehearsed(browser: Browser, site: Dev) -> None:
    await made(site, "Rehearsed", seSim="gift", seNao="wait")
    await a_contact(site, "+5511987650391", "Ana Ensaio")
    async with at_work(browser, site) as visit:
        page = visit.page
        await is_settled(page)
        asked = operations_of(page)
        await page.locator('nav a[href="/console/jornadas"]:visible').first.click()
        row = page.get_by_role("row").filter(has_text="Rehearsed")
        await expect(row).to_contain_text(re.compile("Draft.*signup.*SMS, E-mail.*purchase"))
        assert (asked, await fits(page), await barriers(page)) == (["Journeys"], True, [])

        asked.clear()
        await page.get_by_role("link", name="Rehearsed").click()
        await expect(page.locator("[data-step]")).to_have_count(6)
        await expect(page.locator(".jn-way text")).to_have_text(["yes", "no"])
        assert (asked, await fits(page)) == (["JourneyPage"], True)
        await page.locator("[data-step=hello]").focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(re.compile(r"passo=gift$"))
        await page.keyboard.press("Escape")

        await page.get_by_role("button", name="Simulate").click()
        await page.get_by_label("Find a contact").fill("Ana Ensaio")
        await page.get_by_role("dialog").get_by_role("button", name="Ana Ensaio").click()
        await expect(page.locator(".jn-way.walked")).to_have_count(4)
        await expect(page.locator("[data-step=ask] .jn-turn")).to_have_text("4")
        await expect(page.get_by_text("It would cost")).to_be_visible()
        assert await barriers(page) == []
        await page.get_by_role("button", name="End the simulation").click()
        await expect(page.locator(".jn-way.walked")).to_have_count(0)


async def test_faults_stand_at_their_step_and_a_draft_is_edited(
    browser: Browser, site: Dev
) -> None:
    id = await made(site, "Nowhere")
    async with at_work(browser, site, "/console/jornadas") as visit:
        page = visit.page
        await page.get_by_role("button", name="New journey").click()
        await page.get_by_label("Name", exact=True).fill("Typed")
        await page.get_by_label("Event that begins it").fill("signup")
        await page.get_by_label("Text of the first SMS").fill("Hello")
        assert await barriers(page) == []
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator("[data-step=p1]")).to_contain_text("SMS: Hello")

        await visit.open(f"/console/jornadas/{id}")
        await page.get_by_role("button", name="Activate", exact=True).click()
        dialog = page.get_by_role("dialog", name="Activate the journey")
        await dialog.get_by_role("button", name="Activate").click()
        step = page.locator("[data-step=vip]")
        await expect(step).to_have_class(re.compile("faulty"))
        await page.get_by_role("alert").get_by_role("button", name="É VIP?").click()
        await expect(page.locator(".jn-faults li")).to_have_count(1)
        assert await barriers(page) == []

        await page.locator("[data-step=hello]").click()
        await page.get_by_role("button", name="Insert after").click()
        await page.get_by_label("Kind").select_option("Wait")
        await page.get_by_label("Hours to wait").fill("48")
        assert await barriers(page) == []
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator("[data-step=p3]")).to_contain_text("48 hours")
        await page.locator("[data-step=hello]").click()
        await page.get_by_role("button", name="Edit the step").click()
        await page.get_by_label("Text").fill("Bem-vinda!")
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator("[data-step=hello]")).to_contain_text("Bem-vinda!")
        await page.locator("[data-step=p3]").click()
        await page.get_by_role("button", name="Remove the step").click()
        await expect(page.locator("[data-step]")).to_have_count(3)


async def test_a_journey_is_activated_with_its_cost_and_watched(
    browser: Browser, site: Dev
) -> None:
    id = await made(site, "Watched", seSim="gift", seNao="wait")
    ana = await a_contact(site, "+5511987650392", "Ana Caminho")
    async with at_work(browser, site, f"/console/jornadas/{id}") as visit:
        page = visit.page
        dialog = page.get_by_role("dialog", name="Activate the journey")
        await page.get_by_role("button", name="Activate", exact=True).click()
        await expect(dialog).to_contain_text("Estimated cost")
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Activate").click()
        await expect(page.get_by_role("button", name="Pause")).to_be_visible()
        await api_of(site, f"/v2/journeys/{id}/entradas", {"contactIds": [ana]})
        await expect(page.locator("[data-step=wait]")).to_contain_text(
            "1 entered, 1 waiting", timeout=30_000
        )
        await page.locator("[data-step=wait]").click()
        await page.get_by_role("button", name="Ana Caminho").click()
        trail = page.get_by_role("region", name="Trail of Ana Caminho")
        await expect(trail).to_contain_text(re.compile("Message.*É VIP.*Stands here"))
        await expect(page.locator("[data-step=wait] .jn-turn")).to_have_text("3")
        assert await barriers(page) == []

        await page.get_by_role("button", name="Pause").click()
        await expect(page.get_by_role("button", name="Resume")).to_be_visible()


async def test_a_journey_goes_on_and_is_put_away_on_a_phone(browser: Browser, site: Dev) -> None:
    id = await made(site, "Ended", seSim="gift", seNao="wait")
    ana = await a_contact(site, "+5511987650393", "Ana Saída")
    await api_of(site, f"/v2/journeys/{id}/ativar", {})
    await api_of(site, f"/v2/journeys/{id}/entradas", {"contactIds": [ana]})
    async with at_work(
        browser, site, f"/console/jornadas/{id}?passo=wait", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        await expect(page.get_by_role("button", name="Ana Saída")).to_be_visible(timeout=30_000)
        assert (await fits(page), await barriers(page)) == (True, [])
        await page.get_by_role("button", name="Pausar").click()
        await page.get_by_role("button", name="Retomar").click()
        await expect(page.get_by_role("button", name="Pausar")).to_be_visible()
        await page.get_by_role("button", name="Mais ações").click()
        await page.get_by_role("menuitem", name="Encerrar entradas").click()
        await page.get_by_role("dialog").get_by_role("button", name="Encerrar").click()
        await expect(page.locator(".jn-head")).to_contain_text("sem novas entradas")
        await page.get_by_role("button", name="Ana Saída").click()
        await page.get_by_role("button", name="Retirar da jornada").click()
        await expect(page.get_by_role("status").filter(has_text="saiu")).to_be_visible()
        await page.get_by_role("button", name="Mais ações").click()
        await page.get_by_role("menuitem", name="Arquivar").click()
        await page.get_by_role("dialog").get_by_role("button", name="Arquivar").click()
        await expect(page.locator(".jn-head .badge")).to_have_text("Arquivada")
        await page.get_by_role("button", name="Mais ações").click()
        await page.get_by_role("menuitem", name="Duplicar").click()
        await expect(page.get_by_role("heading", name=re.compile("Ended .c"))).to_be_visible()
        await page.get_by_role("link", name="Todas as jornadas").click()
        await page.get_by_label("Situação").select_option("Arquivada")
        await expect(page.get_by_role("link", name="Ended", exact=True)).to_be_visible()
        assert (await fits(page), await barriers(page)) == (True, [])
