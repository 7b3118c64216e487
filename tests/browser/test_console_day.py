"""A day in the console, from the log-in to the log-out, in both languages: people come in by a sheet,
become a segment, and are sent a message by a journey; one writes and is answered; a deal moves, a
webhook is told again, a colleague is invited.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import randrange
from secrets import token_hex
from typing import Literal

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.console_visits import DESK, is_settled, log_in, owner_of, until_shown
from tests.browser.test_console_conversations import number_of, writes
from tests.browser.test_console_deals import column, drag
from tests.browser.test_console_desenvolvedor import is_delivered
from tests.browser.visits import Scheme, Visit, a_visit
from tests.support.dev import Dev
from tests.support.receiver import a_receiver
from tests.support.waiting import eventually

Locale = Literal["pt-BR", "en-US"]

FAULTY = {12, 200, 333, 501, 502, 777, 1001}
"""Lines of the sheet that nobody can be reached by; the header is the first."""

CUSTOMERS = range(900, 936)
"""Lines of whom the journey is for; the sandbox delivers to their phones."""

REACHED = len(CUSTOMERS)


@dataclass
class Day:
    """Somebody's page, and the language that it speaks."""

    visit: Visit
    locale: Locale
    site: Dev
    name: str
    """In everything that is made on this day."""

    def said(self, pt: str, en: str) -> str:
        return pt if self.locale == "pt-BR" else en

    def button(self, pt: str, en: str, within: Page | Locator | None = None) -> Locator:
        return (within or self.page).get_by_role("button", name=self.said(pt, en), exact=True)

    def field(self, pt: str, en: str, within: Page | Locator | None = None) -> Locator:
        return (within or self.page).get_by_label(self.said(pt, en), exact=True)

    @property
    def page(self) -> Page:
        return self.visit.page

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    async def go(self, path: str) -> None:
        """To a screen, by its place in the menu."""
        await self.page.locator(f'nav a[href="/console{path}"]:visible').first.click()
        await is_settled(self.page)

    async def told(self, pt: str, en: str) -> None:
        """A sentence that goes by itself."""
        await self.visit.hears(self.said(pt, en))


@asynccontextmanager
async def a_day(browser: Browser, site: Dev, locale: Locale, scheme: Scheme) -> AsyncIterator[Day]:
    """Logged in, until the log-out."""
    async with a_visit(
        browser, site.url, scheme=scheme, width=DESK, height=900, locale=locale
    ) as visit:
        await visit.open("/console")
        await log_in(visit.page, *owner_of(site))
        await expect(visit.page.locator(".shell")).to_be_visible()
        await is_settled(visit.page)
        day = Day(visit, locale, site, token_hex(3))
        yield day
        await visit.page.get_by_role("button", name=re.compile("Owner")).click()
        await visit.page.get_by_role("menuitem", name=day.said("Sair", "Log out")).click()
        await expect(visit.page.locator("input[name=email]")).to_be_focused()
        assert await visit.page.context.cookies() == []


def a_sheet(folder: Path, name: str) -> Path:
    """A thousand people; some of them customers, seven without a phone."""
    lines = ["Nome;Telefone;Etiquetas"]
    prefix = randrange(1000)
    for line in range(2, 1002):
        phone = "12" if line in FAULTY else f"(97) 98{prefix:03d}{line:04d}"
        tags = f"cliente {name}" if line in CUSTOMERS else f"feira {name}"
        lines.append(f"Pessoa {line};{phone};{tags}")
    path = folder / "pessoas.csv"
    path.write_text("\n".join(lines), "utf-8")
    return path


async def people_come_in(day: Day, sheet: Path) -> None:
    page = day.page
    await day.go("/contatos")
    await page.get_by_role("link", name=day.said("Importar", "Import")).click()
    await page.locator("input[type=file]").set_input_files(sheet)
    start = page.get_by_role("button", name=day.said("Importar 1.000", "Import 1,000"))
    await day.button("Ensaiar", "Try").click()
    counts = page.locator(".counts")
    created, faulty = day.said("Criados", "Created"), day.said("Com erro", "Faulty")
    whole = re.compile(f"{created}993.*{faulty}7")
    await expect(counts).to_contain_text(whole)
    rows = page.get_by_role("region", name=day.said("Linhas com erro", "Lines with a fault"))
    told = [
        int((await row.inner_text()).split()[0]) for row in await rows.locator("tbody tr").all()
    ]
    assert set(told) == FAULTY
    await start.click()
    happened = day.said("O que aconteceu", "What happened")
    await expect(page.get_by_role("heading", name=happened, exact=True)).to_be_visible()
    await expect(counts).to_contain_text(whole)


async def customers_become_a_segment(day: Day) -> None:
    page = day.page
    await page.get_by_role("link", name=day.said("Todos os contatos", "All contacts")).click()
    await day.button("Filtros", "Filters").click()
    await day.field("Etiqueta", "Tag").fill(f"cliente {day.name}")
    await day.field("Etiqueta", "Tag").press("Enter")
    count = day.said(f"de {REACHED}", f"of {REACHED}")
    await expect(page.locator(".table-foot")).to_contain_text(count)
    await day.button("Salvar como segmento", "Save as a segment").click()
    await expect(day.dialog).to_contain_text(day.said(f"Encontra {REACHED}", f"Finds {REACHED}"))
    await day.field("Nome do segmento", "Name of the segment").fill(f"Clientes {day.name}")
    await day.button("Salvar", "Save", day.dialog).click()
    await expect(page).to_have_url(re.compile("segment=seg_"))
    await expect(page.locator(".table-foot")).to_contain_text(count)


async def pull(page: Page, way: Locator, to: Locator) -> None:
    """The way leads to the step from now on."""
    await way.scroll_into_view_if_needed()
    source, target = await way.bounding_box(), await to.bounding_box()
    assert source is not None
    assert target is not None
    await page.mouse.move(source["x"] + 12, source["y"] + 12)
    await page.mouse.down()
    await page.mouse.move(source["x"] + 30, source["y"] + 12)
    await page.mouse.move(target["x"] + 90, target["y"] + 50, steps=4)
    await expect(to).to_have_class(re.compile("aim"))
    await page.mouse.up()


async def a_journey_is_built(day: Day) -> None:
    """Its beginning and a condition with the mouse, a wait and a way by keys alone."""
    page, dialog = day.page, day.dialog
    await day.go("/jornadas")
    await day.button("Nova jornada", "New journey").click()
    await day.field("Nome", "Name", dialog).fill(f"Boas-vindas {day.name}")
    by = day.said("Quem entra em um segmento", "Who comes into a segment")
    await day.field("Quem entra", "Who enters", dialog).select_option(by)
    await day.field("Segmento", "Segment", dialog).select_option(f"Clientes {day.name}")
    await day.field("Texto do primeiro SMS", "Text of the first SMS", dialog).fill("Bom dia!")
    await day.button("Salvar", "Save", dialog).click()
    first = page.locator("[data-step=p1]")
    await expect(first).to_contain_text("SMS: Bom dia!")

    await page.locator('[data-way="p1 proximo"]').click()
    await day.field("Tipo", "Kind", dialog).select_option(day.said("Condição", "Condition"))
    await day.field("Valor", "Value", dialog).fill("vip")
    await day.button("Salvar", "Save", dialog).click()
    asked = page.locator("[data-step=p2]")
    await expect(asked).to_contain_text("tag is vip")
    await page.locator('[data-way="p2 seSim"]').click()
    await day.field("Texto", "Text", dialog).fill("Obrigado por tudo!")
    await day.button("Salvar", "Save", dialog).click()
    thanks = page.locator("[data-step=p3]")
    await expect(thanks).to_contain_text("Obrigado")

    await first.focus()
    await page.keyboard.press("ArrowDown")
    await expect(asked).to_be_focused()
    await page.locator('[data-way="p2 seNao"]').focus()
    await page.keyboard.press("Enter")
    await expect(day.field("Tipo", "Kind", dialog)).to_be_focused()
    await page.keyboard.type(day.said("Espera", "Wait"))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    waiting = page.locator("[data-step=p4]")
    await expect(waiting).to_be_focused()
    await page.keyboard.press("Control+c")
    await page.keyboard.press("Control+v")
    await expect(page.locator("[data-step=p5]")).to_be_focused()
    await page.keyboard.press("Control+z")
    await expect(page.locator("[data-step]")).to_have_count(5)

    await pull(page, page.locator('[data-way="p4 proximo"]'), thanks)
    await expect(page.locator(".jn-way")).to_have_count(6)


async def it_sends_and_states_change(day: Day) -> None:
    page, dialog = day.page, day.dialog
    await day.button("Ativar", "Activate").click()
    await expect(dialog).to_contain_text(
        re.compile(day.said(f"Entrariam agora\\s*{REACHED}", f"Would enter now\\s*{REACHED}"))
    )
    await day.field(
        "Quem já está lá entra também", "Who is there already enters too", dialog
    ).check()
    await day.button("Ativar", "Activate", dialog).click()
    await day.told(f"Ativa: {REACHED} entram", f"Active: {REACHED} enter")
    first = page.locator("[data-step=p1]")
    entered = day.said(f"{REACHED} entraram", f"{REACHED} entered")
    await expect(first).to_contain_text(entered)
    await first.click()
    name = page.locator("dt", has_text=re.compile(f"^{day.said('Entregues', 'Delivered')}$"))

    async def all_have_it() -> bool:
        await page.reload()
        await is_settled(page)
        return await name.locator("+ dd").inner_text() == str(REACHED)

    await eventually(all_have_it, "everybody has the message", every=0.5)
    await day.go("/")
    states = page.locator(".latest .badge")
    await expect(states.filter(has_text=day.said("Entregue", "Delivered")).first).to_be_visible()


async def somebody_is_answered(day: Day) -> None:
    page = day.page
    await day.go("/conversas")
    number = await number_of(day.site)
    list_of = day.said("Conversas por atividade", "Conversations by activity")
    row = page.get_by_role("navigation", name=list_of).get_by_role("link").first
    text = {"text": f"Oi, {day.name}!"}
    await until_shown(
        row.filter(has_text=text["text"]), lambda: writes(day.site, number, "text", text)
    )
    await row.click()
    await expect(page.get_by_role("log")).to_contain_text(f"Oi, {day.name}!")
    answer = page.get_by_role("textbox", name=day.said("Resposta", "Answer"))
    await answer.fill(f"Olá, {day.name}!")
    await answer.press("Enter")
    ours = page.get_by_role("log").locator(".line.ours").last
    await expect(ours).to_contain_text(f"Olá, {day.name}!")
    await expect(ours).to_have_attribute("data-status", "READ")


async def a_deal_moves(day: Day) -> None:
    page, title = day.page, f"Forno {day.name}"
    await day.go("/negocios")
    await day.button("Novo negócio", "New deal").click()
    await day.field("Título", "Title").fill(title)
    await day.button("Salvar", "Save").click()
    card = page.locator("[data-card]").filter(has_text=title)
    await card.scroll_into_view_if_needed()
    await drag(page, card, column(page, "Qualificado"))
    await expect(column(page, "Qualificado").locator(".deal-title", has_text=title)).to_be_visible()
    await expect(page.locator(".going")).to_have_count(0)


async def a_webhook_is_told_again(day: Day) -> None:
    page, dialog = day.page, day.dialog
    async with a_receiver() as receiver:
        await day.go("/desenvolvedor")
        await page.get_by_role("link", name="Webhooks", exact=True).click()
        await day.button("Novo webhook", "New webhook").click()
        await dialog.get_by_label(day.said("Endereço", "Address")).fill(receiver.url)
        await dialog.get_by_label("contact.created").check()
        await day.button("Criar", "Create", dialog).click()
        await day.button("Já guardei", "I have kept it").click()
        await expect(page.get_by_role("heading", name=receiver.url)).to_be_visible()
        address = page.url

        await day.go("/contatos")
        await day.button("Novo contato", "New contact").click()
        await day.field("Telefone", "Phone", dialog).fill(f"(86) 9{randrange(8100, 8999)}-0005")
        await day.field("Nome", "Name", dialog).fill("Clara Nova")
        await day.button("Salvar", "Save", dialog).click()
        await expect(page.get_by_role("heading", name="Clara Nova")).to_be_visible()

        await page.goto(address)
        await is_delivered(page, 1)
        await page.locator(".table-link").first.click()
        await day.button("Reenviar", "Replay").click()
        await expect(page).to_have_url(re.compile("/desenvolvedor/webhooks/"))
        await is_delivered(page, 2)
        assert len(receiver.events("contact.created")) == 2
        await day.button("Remover", "Remove").click()
        await day.button("Remover", "Remove", dialog).click()


async def somebody_is_invited(day: Day) -> None:
    page, dialog = day.page, day.dialog
    name = f"Bia {day.name}"
    await day.go("/equipe")
    await day.button("Convidar", "Invite").click()
    await day.field("Nome", "Name", dialog).fill(name)
    await day.field("E-mail", "E-mail", dialog).fill(f"bia.{day.name}@example.com")
    await day.button("Convidar", "Invite", dialog).click()
    await expect(dialog.locator(".secret")).to_contain_text("/account")
    await day.button("Já guardei", "I have kept it").click()
    await expect(page.get_by_role("row").filter(has_text=name)).to_contain_text(
        day.said("Convidado", "Invited")
    )


@pytest.mark.parametrize(("locale", "scheme"), [("pt-BR", "light"), ("en-US", "dark")])
async def test_a_day_from_log_in_to_log_out(
    browser: Browser, site: Dev, tmp_path: Path, locale: Locale, scheme: Scheme
) -> None:
    async with a_day(browser, site, locale, scheme) as day:
        await people_come_in(day, a_sheet(tmp_path, day.name))
        await customers_become_a_segment(day)
        await a_journey_is_built(day)
        await it_sends_and_states_change(day)
        await somebody_is_answered(day)
        await a_deal_moves(day)
        await a_webhook_is_told_again(day)
        await somebody_is_invited(day)
