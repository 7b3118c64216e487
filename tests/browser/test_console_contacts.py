"""Contacts in the console: an import with faults, a filter that becomes a segment, consent, and
forgetting somebody.
"""

import os
import re
import sys
from pathlib import Path
from secrets import token_hex

import httpx
from playwright.async_api import Browser, CDPSession, Page, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits
from tests.browser.test_account_page import PASSWORD
from tests.support.dev import Dev
from tests.support.processes import svc

FAULTY = {12, 200, 333, 501, 502, 777, 1001}
"""Lines of the sheet, the header being the first."""


def a_sheet(folder: Path) -> Path:
    """A thousand people as Excel saves them in Brazil, with an empty row; seven of them cannot be
    reached. Their houses have numbers, and some of them landlines.
    """
    lines = ["Número;Nome;Telefone;Celular;Etiquetas;Cidade", ";;;;;"]
    for line in range(3, 1003):
        phone = "12" if line in FAULTY else f"(31) 9{81000000 + line:08d}"
        lines.append(
            f'{line};"Sílvia ""{line}""";(31) 3232-{line:04d};{phone};feira|{"par" if line % 2 else "ímpar"};Betim'
        )
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
        workbook = {"name": "pessoas.xlsx", "mimeType": "", "buffer": b"PK\x03\x04\x14"}
        await page.locator("input[type=file]").set_input_files(workbook)  # type: ignore[arg-type]
        await expect(page.get_by_role("alert")).to_contain_text("save or download the sheet as CSV")
        wide = {"name": "larga.csv", "mimeType": "", "buffer": b"a;" * 300}
        await page.locator("input[type=file]").set_input_files(wide)  # type: ignore[arg-type]
        await expect(page.get_by_role("alert")).to_contain_text("more than 200 columns, or 50 MB")
        await page.locator("input[type=file]").set_input_files(a_sheet(tmp_path))
        for column, target in (
            ("Celular", "phone"), ("Telefone", "attribute:Telefone"), ("Número", "attribute:Número")
        ):  # fmt: skip
            await expect(page.get_by_label(f"{column} becomes")).to_have_value(target)
        await expect(page.get_by_label("Cidade becomes")).to_have_value("attribute:Cidade")
        start = page.get_by_role("button", name="Import 1,000 lines")
        await expect(start).to_be_disabled()
        await page.get_by_role("button", name="Try", exact=True).click()
        counts = page.locator(".counts")
        await expect(page.get_by_role("heading", name="What would happen")).to_be_visible()
        await expect(counts).to_contain_text(re.compile(r"Created993.*Faulty7"))
        told = await page.get_by_role("region", name="Lines with a fault").locator("tr").all()
        assert {int((await row.inner_text()).split()[0]) for row in told[1:]} == FAULTY
        assert await barriers(page) == []

        await start.click()
        await expect(page.get_by_role("heading", name="What happened")).to_be_visible()
        await expect(counts).to_contain_text(re.compile(r"Created993.*Faulty7"))
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


async def its_attributes_are_changed(page: Page, site: Dev, id: str) -> None:
    """A number stays a number; what a program changed meanwhile is shown beside what was typed."""
    edit, save = (page.get_by_role("button", name=name) for name in ("Editar", "Salvar"))
    dialog = page.get_by_role("dialog")
    await edit.click()
    for key, kind, value in (("pedidos", "number", "4"), ("cidade", "text", "Curitiba")):
        await dialog.get_by_role("button", name="Mais um atributo").click()
        await dialog.get_by_label("Nome do atributo").last.fill(key)
        await dialog.get_by_label("Tipo").last.select_option(kind)
        await dialog.get_by_label("Valor").last.fill(value)
    assert (await fits(page), await barriers(page)) == (True, [])
    await save.click()
    await expect(page.locator(".facts")).to_contain_text(["Curitiba"])

    await edit.click()
    await dialog.get_by_label("Nome", exact=True).fill("Otávia Prado Lima")
    await dialog.get_by_role("button", name="Tirar o atributo cidade").click()
    async with httpx.AsyncClient(
        base_url=site.url, headers={"Authorization": f"Bearer {site.key}"}
    ) as api:
        other = {"name": "Otávia Pradinho", "attributesMesclar": {"clube": True}}
        other |= {"cpf": "529.982.247-25"}
        assert (await api.patch(f"/contacts/{id}", json=other)).is_success
        await save.click()
        row = dialog.get_by_role("row").filter(has_text="Otávia Pradinho")
        await expect(row).to_contain_text("Otávia Prado Lima")
        assert (await fits(page), await barriers(page)) == (True, [])
        await save.click()
        await expect(page.get_by_role("heading", name="Otávia Prado Lima")).to_be_visible()
        stored = (await api.get(f"/contacts/{id}")).json()
    assert stored["attributes"] == {"pedidos": 4, "clube": True}


async def a_channel_opens_again_and_documents_are_shown(page: Page) -> None:
    """With where the person asked for it; masked until somebody asks."""
    dialog, documents = page.get_by_role("dialog"), page.locator(".documents")
    await page.get_by_role("button", name="Reabrir SMS").click()
    await dialog.get_by_label("Onde a pessoa pediu").fill("loja")
    await dialog.get_by_role("button", name="Reabrir", exact=True).click()
    await expect(page.get_by_role("button", name="Fechar SMS")).to_be_visible()
    await page.reload()
    await expect(documents).to_contain_text("CPF")
    await expect(documents).not_to_contain_text(re.compile(r"529\D?982"))
    await documents.get_by_role("button", name="Mostrar documentos").click()
    await expect(documents).to_contain_text(re.compile(r"529\D?982"))


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
        await expect(page.get_by_label("Telefone", exact=True)).to_be_focused()
        await expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(
            "Corrija o que está marcado e envie de novo."
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
        await its_attributes_are_changed(page, site, id)

        await page.get_by_role("button", name="Fechar SMS").click()
        await page.get_by_label("Motivo").fill("pediu por telefone")
        await (
            page.get_by_role("dialog").get_by_role("button", name="Fechar", exact=True).last.click()
        )
        await expect(page.get_by_role("button", name="Reabrir SMS")).to_be_visible()
        await expect(page.locator(".entries")).to_contain_text("Recusou mensagens")
        await a_channel_opens_again_and_documents_are_shown(page)
        assert (await fits(page), await barriers(page)) == (True, [])

        await page.get_by_role("button", name="Apagar", exact=True).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("0 mensagens")
        assert await barriers(page) == []
        await dialog.get_by_label("Para confirmar").fill("Otávia Prado Lima")
        await dialog.get_by_role("button", name="Apagar").click()
        await expect(page).to_have_url(re.compile("/console/contatos$"))
        await visit.open(f"/console/contatos/{id}")
        await expect(page.get_by_text("Este contato não existe mais")).to_be_visible()


MANY = int(os.environ.get("SVC_TEST_CONTACTS", "400"))
"""100,000 by hand, with `-s --timeout 0` and on a machine that does nothing else: what is measured is
told on standard error.
"""

SCROLL = """async ([pixels, seconds]) => {
  const body = document.querySelector(".table-body");
  body.scrollTop = 0;
  await new Promise(requestAnimationFrame);
  const begun = performance.now();
  let frames = 0, most = 0, longest = 0, last = begun, way = 1;
  while (last - begun < seconds * 1000) {
    body.scrollTop += way * pixels;
    if (body.scrollTop + body.clientHeight >= body.scrollHeight - 1) way = -1;
    if (body.scrollTop <= 0) way = 1;
    const now = await new Promise(requestAnimationFrame);
    longest = Math.max(longest, now - last);
    most = Math.max(most, body.querySelectorAll("[role=row]").length);
    frames += 1;
    last = now;
  }
  return { perSecond: Math.round((frames * 1000) / (last - begun)), longest: Math.round(longest), most, frames };
}"""


async def busy(devtools: CDPSession) -> float:
    """Seconds of processor that the page's own thread has used: what else the machine does is not in it."""
    metrics = (await devtools.send("Performance.getMetrics"))["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


async def test_a_long_table_is_scrolled(browser: Browser, site: Dev) -> None:
    email = os.environ.get("SVC_TEST_CONTACTS_OF", f"larga.{token_hex(4)}@example.com")
    if "SVC_TEST_CONTACTS_OF" not in os.environ:
        words = ["org", "create", "Larga", "--email", email, "--password", "-"]
        status, out, err = await svc(words, environment=site.environment, typed=PASSWORD)
        assert status == 0, err
        [org] = re.findall(r"org_\w+", out)
        rest = [f"--{name}=0" for name in ("companies", "messages", "deals")]
        words = ["seed", "--org", org, "--env", "test", "--contacts", str(MANY), *rest]
        status, _, err = await svc(words, environment=site.environment)
        assert status == 0, err
    async with at_work(browser, site, "/console/contatos", email=email) as visit:
        page = visit.page
        foot = page.locator(".table-foot")
        await expect(foot).to_contain_text(f"100 of {MANY:,}")
        await page.evaluate(
            """async (total) => {
              const body = document.querySelector(".table-body");
              while (!document.querySelector(".table-foot").textContent.startsWith(total + " of")) {
                body.scrollTop = body.scrollHeight;
                await new Promise(requestAnimationFrame);
              }
            }""",
            f"{MANY:,}",
        )
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = await busy(devtools)
        measured = await page.evaluate(SCROLL, [260, 5 if MANY > 10_000 else 0.5])
        spent = await busy(devtools) - before
        measured["cpuMsOfAFrame"] = round(spent * 1000 / measured["frames"], 1)
        await devtools.send("HeapProfiler.collectGarbage")
        heap = await devtools.send("Runtime.getHeapUsage")
        measured["heapMB"] = round(heap["usedSize"] / 1e6)
        sys.stderr.write(f"{MANY:,} contacts: {measured}\n")
        assert measured["most"] < 80, "only the rows in sight exist"
