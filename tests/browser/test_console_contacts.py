"""Contacts in the console: an import with faults, a filter that becomes a segment, consent, and
forgetting somebody.
"""

import re
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits
from tests.support.dev import Dev

FAULTY = {12, 200, 333, 501, 502, 777, 1001}
"""Lines of the sheet, the header being the first."""


def a_sheet(folder: Path) -> Path:
    """A thousand people as Excel saves them in Brazil; seven of them cannot be reached."""
    lines = ["Nome;Telefone;Etiquetas;Cidade"]
    for line in range(2, 1002):
        phone = "12" if line in FAULTY else f"(31) 9{81000000 + line:08d}"
        lines.append(f'"Sílvia ""{line}""";{phone};feira|{"par" if line % 2 else "ímpar"};Betim')
    path = folder / "pessoas.csv"
    path.write_bytes("\r\n".join(lines).encode("windows-1252"))
    return path


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8-sig").splitlines()


async def test_a_sheet_is_tried_imported_filtered_and_kept_as_a_segment(
    browser: Browser, site: Dev, tmp_path: Path
) -> None:
    async with at_work(browser, site, "/console/contatos/importar") as visit:
        page = visit.page
        await page.locator("input[type=file]").set_input_files(a_sheet(tmp_path))
        await expect(page.get_by_label("Telefone becomes")).to_have_value("phone")
        await expect(page.get_by_label("Cidade becomes")).to_have_value("attribute:Cidade")
        start = page.get_by_role("button", name="Import 1,000 lines")
        await expect(start).to_be_disabled()
        await page.get_by_role("button", name="Try", exact=True).click()
        counts = page.locator(".counts")
        await expect(page.get_by_role("heading", name="What would happen")).to_be_visible()
        await expect(counts).to_contain_text(re.compile(r"Created993.*Faulty7"), timeout=30_000)
        told = await page.get_by_role("region", name="Lines with a fault").locator("tr").all()
        assert {int((await row.inner_text()).split()[0]) for row in told[1:]} == FAULTY
        assert await barriers(page) == []

        await start.click()
        await expect(page.get_by_role("heading", name="What happened")).to_be_visible()
        await expect(counts).to_contain_text(re.compile(r"Created993.*Faulty7"), timeout=60_000)
        async with page.expect_download() as download:
            await page.get_by_role("button", name="Save the faulty lines").click()
        saved = lines_of(await (await download.value).path())
        assert len(saved) == 1 + len(FAULTY)

        await page.get_by_role("link", name="All contacts").click()
        await page.get_by_role("button", name="Filters").click()
        await page.get_by_label("Tag").fill("feira")
        await page.get_by_label("Tag").press("Enter")
        await expect(page.locator(".table-foot")).to_contain_text("of 993")
        await page.locator(".table-body").evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
        await expect(page.locator(".table-foot")).to_contain_text("200 of 993")

        await page.get_by_role("button", name="Save as a segment").click()
        dialog = page.get_by_role("dialog", name="New segment")
        await expect(dialog).to_contain_text("Finds 993 contacts")
        await dialog.get_by_role("button", name="One more condition").click()
        await dialog.get_by_label("Value").last.fill("par")
        await expect(dialog).to_contain_text("Finds 496 contacts")
        assert await barriers(page) == []
        await dialog.get_by_label("Name of the segment").fill("Feira, pares")
        await dialog.get_by_role("button", name="Save").click()
        await expect(page).to_have_url(re.compile("segment=seg_"))
        await expect(page.locator(".table-foot")).to_contain_text("of 496")


async def test_somebody_is_made_changed_refused_and_forgotten_on_a_phone(
    browser: Browser, site: Dev
) -> None:
    async with at_work(browser, site, "/console/contatos", width=PHONE, locale="pt-BR") as visit:
        page = visit.page
        await page.get_by_role("button", name="Novo contato").click()
        await page.get_by_label("Telefone", exact=True).fill("12")
        await page.get_by_role("button", name="Salvar").click()
        await expect(page.get_by_label("Telefone", exact=True)).to_have_attribute(
            "aria-invalid", "true"
        )
        assert await barriers(page) == []
        await page.get_by_label("Telefone", exact=True).fill("(41) 98877-6655")
        await page.get_by_label("Nome", exact=True).fill("Otávia Prado")
        await page.get_by_role("button", name="Salvar").click()
        await expect(page.get_by_role("heading", name="Otávia Prado")).to_be_visible()
        id = page.url.rpartition("/")[2]

        await page.get_by_role("button", name="Editar").click()
        await page.get_by_label("Etiquetas").fill("vip, curitiba")
        await page.get_by_role("button", name="Salvar").click()
        await expect(page.locator(".facts .tag")).to_have_text(["vip", "curitiba"])

        await page.get_by_role("button", name="Fechar SMS").click()
        await page.get_by_label("Motivo").fill("pediu por telefone")
        await (
            page.get_by_role("dialog").get_by_role("button", name="Fechar", exact=True).last.click()
        )
        await expect(page.get_by_role("button", name="Reabrir SMS")).to_be_visible()
        await expect(page.locator(".entries")).to_contain_text("Recusou mensagens")
        assert (await fits(page), await barriers(page)) == (True, [])

        await page.get_by_role("button", name="Apagar", exact=True).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("0 mensagens")
        assert await barriers(page) == []
        await dialog.get_by_label("Entendo").check()
        await dialog.get_by_role("button", name="Apagar").click()
        await expect(page).to_have_url(re.compile("/console/contatos$"))
        await visit.open(f"/console/contatos/{id}")
        await expect(page.get_by_text("Este contato não existe mais")).to_be_visible()
