"""The team in the console: people and the audit trail; senders, numbers, templates and the rules
that hold for everybody.
"""

import re
from secrets import token_hex

import httpx
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import DESK, PHONE, at_work, fits, is_settled
from tests.support.dev import Dev


@pytest.mark.parametrize(("locale", "width"), [("pt-BR", PHONE), ("en-US", DESK)])
async def test_a_person_is_invited_changed_and_suspended_and_the_trail_tells(
    browser: Browser, site: Dev, locale: str, width: int
) -> None:
    portuguese = locale == "pt-BR"

    def said(pt: str, en: str) -> str:
        return pt if portuguese else en

    name = f"Lia {token_hex(3)}"
    async with at_work(browser, site, "/console/equipe", locale=locale, width=width) as visit:
        page = visit.page
        await is_settled(page)
        assert await fits(page)
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
        opened = said("Entrada de uma pessoa", "Person logged in")
        await page.get_by_label(said("Ação", "Action")).select_option(opened)
        await expect(page).to_have_url(re.compile(r"acao=session\.opened"))
        await expect(page.locator(".table-body [title]").first).to_have_text(opened)
        await page.get_by_label(said("Quem", "Who")).select_option("Owner")
        await expect(page).to_have_url(re.compile("quem=acc_"))
        await is_settled(page)
        assert (await fits(page), await barriers(page)) == (True, [])


PARTS = ["remetentes", "numeros", "templates", "regras"]


async def each_part_fits(page: Page) -> None:
    """In the longer words of Portuguese."""
    for part in PARTS:
        await page.locator(f".tabs a[href$='aba={part}']").click()
        await expect(page.locator(".tab[aria-current]")).to_have_attribute(
            "href", re.compile(f"{part}$")
        )
        await is_settled(page)
        await expect(page.locator("main h2").first).to_be_visible()
        assert await fits(page), part


async def senders_are_verified(page: Page, dialog: Locator) -> None:
    """An address by its code, a domain by its record, which this one does not have."""
    new = page.get_by_role("button", name="Novo remetente")
    await new.click()
    await dialog.get_by_label("Endereço ou domínio").fill("loja")
    await dialog.get_by_role("button", name="Pedir").click()
    await expect(dialog.get_by_label("Endereço ou domínio")).to_have_attribute(
        "aria-invalid", "true"
    )
    await dialog.get_by_label("Endereço ou domínio").fill("loja@padaria.test")
    await dialog.get_by_role("button", name="Pedir").click()
    hint = await dialog.locator(".hint").inner_text()
    await dialog.get_by_label("Código").fill(hint.rpartition(" ")[2])
    assert await barriers(page) == []
    await dialog.get_by_role("button", name="Verificar").click()
    lines = page.get_by_role("listitem")
    await expect(lines.filter(has_text="loja@padaria.test")).to_contain_text("Verificado")
    await new.click()
    await dialog.get_by_label("Endereço ou domínio").fill("@unverified.test")
    await dialog.get_by_role("button", name="Pedir").click()
    await expect(dialog).to_contain_text("_svc-sender.unverified.test")
    await dialog.get_by_role("button", name="Verificar").click()
    await expect(dialog.get_by_role("status")).to_contain_text("registro TXT ainda não existe")
    assert (await fits(page), await barriers(page)) == (True, [])
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Remover @unverified.test").click()
    await dialog.get_by_role("button", name="Remover").click()
    await expect(lines.filter(has_text="@unverified.test")).to_have_count(0)


async def a_template_is_written_and_judged(page: Page, dialog: Locator) -> None:
    """Every fault stands at its field; what the platform says comes by itself."""
    name = f"aviso_{token_hex(3)}_reject"
    await page.get_by_role("button", name="Novo template").click()
    await dialog.get_by_label("Nome do template").fill("Aviso!")
    await dialog.get_by_label("Texto", exact=True).fill("{{1}}, chega {{2}}")
    await dialog.get_by_role("button", name="Salvar rascunho").click()
    for label in ("Nome do template", "Texto", "Exemplo de 1"):
        field = dialog.get_by_label(label, exact=True)
        await expect(field).to_have_attribute("aria-invalid", "true")
    assert (await fits(page), await barriers(page)) == (True, [])
    await dialog.get_by_label("Nome do template").fill(name)
    await dialog.get_by_label("Texto", exact=True).fill("Olá {{1}}, chega {{2}}.")
    await dialog.get_by_label("Exemplo de 1").fill("Ana")
    await dialog.get_by_label("Exemplo de 2").fill("amanhã")
    await dialog.get_by_role("button", name="Mais um botão").click()
    await dialog.get_by_label("Texto do botão").fill("Obrigada")
    await expect(dialog.locator(".bubble")).to_contain_text("Olá Ana, chega amanhã.")
    await dialog.get_by_role("button", name="Salvar rascunho").click()
    line = page.locator(f"[data-template={name}]")
    await expect(line).to_contain_text("Rascunho")
    await page.get_by_role("button", name=f"Enviar {name}").click()
    await dialog.get_by_role("button", name="Enviar à plataforma").click()
    await expect(line).to_contain_text("Motivo da recusa")
    await expect(line.locator(".badge")).to_have_text("Recusado")
    await page.get_by_role("button", name=f"Alterar {name}").click()
    await dialog.get_by_label("Rodapé").fill("Padaria")
    await dialog.get_by_role("button", name="Salvar rascunho").click()
    await expect(line).to_contain_text("versão 2")
    await page.get_by_label("Estado").select_option("APPROVED")
    await expect(line).to_have_count(0)


async def rules_are_changed(page: Page, dialog: Locator, site: Dev) -> None:
    """What somebody else changed meanwhile is shown beside what was typed."""
    await page.get_by_role("button", name="Alterar Horário de silêncio").click()
    await dialog.get_by_label("Há horário de silêncio").check()
    await dialog.get_by_label("Fuso").fill("Lua/Mar")
    await dialog.get_by_role("button", name="Salvar").click()
    await expect(dialog.get_by_label("Fuso")).to_have_attribute("aria-invalid", "true")
    await dialog.get_by_label("Fuso").fill("America/Sao_Paulo")
    await dialog.get_by_role("button", name="Salvar").click()
    await expect(page.locator("main")).to_contain_text("Das 22:00 às 08:00")
    await page.get_by_role("button", name="Alterar Horário de silêncio").click()
    await dialog.get_by_label("Há horário de silêncio").uncheck()
    await dialog.get_by_role("button", name="Salvar").click()
    await expect(page.locator("main")).to_contain_text("Nenhum horário é de silêncio")

    await page.get_by_role("button", name="Alterar Palavras de saída").click()
    words = dialog.get_by_label("Fecham o canal")
    before = await words.input_value()
    await words.fill(f"{before}, CHEGA")
    async with httpx.AsyncClient(
        base_url=site.url, headers={"Authorization": f"Bearer {site.key}"}
    ) as api:
        stored = (await api.get("/contacts/opt-out/words")).json()
        other = stored | {"saida": [*stored["saida"], "BASTA"]}
        put = await api.put("/contacts/opt-out/words", json=other)
        assert put.is_success, put.text
    await dialog.get_by_role("button", name="Salvar").click()
    both = dialog.get_by_role("row").filter(has_text="CHEGA")
    await expect(both).to_contain_text("BASTA")
    assert (await fits(page), await barriers(page)) == (True, [])
    await words.fill(before)
    await dialog.get_by_role("button", name="Salvar").click()
    await expect(page.locator("main .facts")).not_to_contain_text("BASTA")


async def test_senders_templates_and_rules_are_looked_after_on_a_dark_phone(
    browser: Browser, site: Dev
) -> None:
    async with at_work(
        browser, site, "/console/equipe", scheme="dark", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        dialog = page.get_by_role("dialog")
        await expect(page.get_by_role("row").filter(has_text="Owner")).to_contain_text(
            "Proprietário"
        )
        await each_part_fits(page)
        await rules_are_changed(page, dialog, site)
        await page.get_by_role("link", name="Templates").click()
        await a_template_is_written_and_judged(page, dialog)
        await page.get_by_role("link", name="Números").click()
        await page.get_by_role("button", name="Conferir").first.click()
        await expect(dialog).to_contain_text("Pode enviar")
        assert (await fits(page), await barriers(page)) == (True, [])
        await page.keyboard.press("Escape")
        await page.get_by_role("link", name="Remetentes").click()
        await senders_are_verified(page, dialog)
