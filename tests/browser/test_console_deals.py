"""Negócios in the console: a board moved by mouse, by keys and by menu, which asks for what a stage
demands; and the same deals as a list.
"""

import json
import re
from collections.abc import Awaitable
from secrets import token_hex

from playwright.async_api import Browser, Locator, Page, Route, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits, is_settled
from tests.browser.test_account_page import PASSWORD
from tests.browser.test_console_conversations import asked
from tests.support.dev import Dev
from tests.support.processes import svc

PIPELINE = {
    "nome": "Padarias",
    "etapas": [
        {"nome": "Contato"},
        {"nome": "Proposta", "camposObrigatorios": ["valor", "dataPrevista"]},
        {"nome": "Ganho", "resultado": "ganho"},
        {"nome": "Perdido", "resultado": "perda"},
    ],
    "motivos": [{"texto": "Preço"}, {"texto": "Outro", "exigeObservacao": True}],
}


def column(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


async def drag(page: Page, what: Locator, to: Locator) -> None:
    source, target = await what.bounding_box(), await to.bounding_box()
    assert source is not None
    assert target is not None
    await page.mouse.move(source["x"] + 30, source["y"] + 20)
    await page.mouse.down()
    await page.mouse.move(source["x"] + 60, source["y"] + 30)
    await page.mouse.move(target["x"] + 60, target["y"] + 200, steps=4)
    await expect(page.locator(".deal.ghost")).to_be_visible()
    await page.mouse.up()


async def fill_and_move(page: Page, value: str) -> None:
    dialog = page.get_by_role("dialog", name="Proposta asks for more")
    await dialog.get_by_label("Value (BRL)").fill(value)
    await dialog.get_by_label("Expected on").fill("2027-03-31")
    await dialog.get_by_role("button", name="Move").click()


async def before_a_move(page: Page, change: Awaitable[object]) -> None:
    """Let something change when a deal is about to be moved, before the page can hear of it."""
    changes = [change]

    async def on_the_way(route: Route) -> None:
        if (
            changes
            and json.loads(route.request.post_data or "{}").get("operationName") == "MoveDeal"
        ):
            await changes.pop()
        await route.continue_()

    await page.route("**/graphql", on_the_way)


async def test_who_has_no_pipeline_makes_the_first_one_on_a_phone(
    browser: Browser, site: Dev
) -> None:
    """Nobody needs the API for it."""
    made = await svc(["org", "create", "Nova", "--json"], environment=site.environment)
    organization, email = json.loads(made[1])["organizationId"], f"dona.{token_hex(4)}@example.com"
    account = ["account", "create", "--org", organization, "--email", email, "--name", "Dona"]
    await svc(
        [*account, "--role", "owner", "--password", "-"],
        environment=site.environment,
        typed=PASSWORD,
    )
    path = "/console/negocios"
    async with at_work(browser, site, path, width=PHONE, locale="pt-BR", email=email) as visit:
        page = visit.page
        make = page.get_by_role("button", name="Criar funil de vendas")
        await expect(make).to_be_visible()
        assert (await fits(page), await barriers(page)) == (True, [])
        await make.click()
        await expect(page.get_by_label("Funil")).to_have_text("Vendas")
        await expect(column(page, "Novo")).to_be_visible()


async def test_deals_are_dragged_nudged_won_and_lost(browser: Browser, site: Dev) -> None:
    pipeline = await asked(site, "POST", "/pipelines", json=PIPELINE)
    cards = {
        title: await asked(
            site, "POST", "/cards", json={"titulo": title, "pipelineId": pipeline["id"]}
        )
        for title in ("Forno", "Balcão", "Vitrine")
    }
    path = f"/console/negocios?funil={pipeline['id']}"
    async with at_work(browser, site, path) as visit:
        page = visit.page
        await is_settled(page)
        offer = column(page, "Proposta")
        await expect(column(page, "Contato").locator(".deal")).to_have_count(3)
        assert (await fits(page), await barriers(page)) == (True, [])

        await drag(page, page.locator(f"[data-card={cards['Forno']['id']}]"), offer)
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await barriers(page) == []
        await fill_and_move(page, "1500")
        await expect(offer.locator(".deal-title")).to_have_text(["Forno"])
        await expect(offer).to_contain_text("1 deal · R$")

        actions = page.get_by_role("button", name="Actions of Balcão")
        await actions.press("Alt+ArrowRight")
        await fill_and_move(page, "900")
        await expect(offer.locator(".deal-title")).to_have_text(["Forno", "Balcão"])
        await actions.press("Alt+ArrowUp")
        await expect(offer.locator(".deal-title")).to_have_text(["Balcão", "Forno"])
        await expect(offer.locator(".going")).to_have_count(0)

        # What somebody else changed meanwhile is shown beside what was wanted.
        change = asked(site, "PATCH", f"/cards/{cards['Balcão']['id']}", json={"valor": 4200})
        await before_a_move(page, change)
        await actions.click()
        await page.get_by_role("menuitem", name="Win").click()
        conflict = page.get_by_role("dialog", name="Somebody else changed this deal")
        await expect(conflict).to_contain_text(re.compile(r"4,200.*900", re.DOTALL))
        await conflict.get_by_role("button", name="Move all the same").click()
        await expect(column(page, "Ganho").locator(".deal-title")).to_have_text(["Balcão"])

        await page.get_by_role("button", name="Actions of Vitrine").click()
        await page.get_by_role("menuitem", name="Lose").click()
        lose = page.get_by_role("dialog", name="Lose Vitrine")
        await lose.get_by_label("Reason").select_option("Outro")
        await lose.get_by_role("button", name="Lose", exact=True).click()
        await expect(lose).to_be_visible()
        await lose.get_by_label("Note").fill("Fechou a loja")
        await lose.get_by_role("button", name="Lose", exact=True).click()
        await expect(column(page, "Perdido").locator(".deal-title")).to_have_text(["Vitrine"])

        won = next(one["id"] for one in pipeline["etapas"] if one["nome"] == "Ganho")
        await asked(site, "POST", f"/cards/{cards['Forno']['id']}/mover", json={"etapaId": won})
        await expect(column(page, "Ganho").locator(".deal")).to_have_count(2)
        lost = await asked(site, "GET", f"/cards/{cards['Vitrine']['id']}")
        assert (lost["status"], lost["observacaoPerda"]) == ("perdido", "Fechou a loja")


async def test_deals_are_moved_and_listed_on_a_phone(browser: Browser, site: Dev) -> None:
    async with at_work(browser, site, "/console/negocios", width=PHONE, locale="pt-BR") as visit:
        page = visit.page
        await is_settled(page)
        assert (await fits(page), await barriers(page)) == (True, [])
        await page.get_by_role("button", name="Novo negócio").click()
        await page.get_by_label("Título").fill("Geladeira nova")
        await page.get_by_role("button", name="Salvar").click()
        await page.get_by_role("button", name="Ações de Geladeira nova").click()
        await page.get_by_role("menuitem", name="Qualificado").click()
        await expect(column(page, "Qualificado")).to_contain_text("Geladeira nova")

        await page.get_by_label("Ver como").select_option("Lista")
        await page.get_by_label("Buscar por título").fill("geladeira")
        await expect(page.locator(".table-foot")).to_contain_text("1 de 1")
        assert (await fits(page), await barriers(page)) == (True, [])
