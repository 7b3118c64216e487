"""Journeys in the console: found, drawn, rehearsed, edited, run, watched and put away."""

import re
from typing import Any

from playwright.async_api import Browser, Page, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import PHONE, at_work, fits, is_settled, operations_of
from tests.browser.test_console_conversations import asked as asked_of
from tests.browser.visits import Visit
from tests.support.dev import Dev
from tests.support.waiting import eventually

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
    answered: dict[str, Any] = await asked_of(site, "POST", path, json=body)
    return answered


async def steps_of(site: Dev, id: str) -> dict[str, dict[str, Any]]:
    """The steps of a journey by their ids, as they are stored."""
    found = await asked_of(site, "GET", f"/v2/journeys/{id}")
    return {one["id"]: one for one in found["passos"]}


async def another_changes(site: Dev, id: str, step: str, **how: Any) -> None:
    """A program changes a step of the draft."""
    steps = await steps_of(site, id)
    steps[step] |= how
    await asked_of(site, "PATCH", f"/v2/journeys/{id}", json={"passos": [*steps.values()]})


async def is_waiting(site: Dev, id: str) -> None:
    """Somebody stands on the step `wait`: pages that are opened from now on read it."""

    async def stands() -> bool:
        found = await asked_of(site, "GET", f"/v2/journeys/{id}")
        return bool(found["metricasPorPasso"]["wait"]["aguardando"])

    await eventually(stands, "somebody waits", every=0.2)


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


async def a_template_goes_over_whatsapp(page: Page, site: Dev) -> None:
    """From a number, filled in, as the person sees it; what is not filled in is named at its field."""
    found = (await asked_of(site, "GET", "/v2/templates?status=approved"))["items"]
    template = next(one for one in found if one["variaveis"])
    dialog, preview = page.get_by_role("dialog"), page.get_by_label("As the person sees it")
    await page.locator("[data-step=hello]").click()
    await page.get_by_role("button", name="Insert after").click()
    await dialog.get_by_label("Channels").select_option("WhatsApp")
    await dialog.get_by_label("Number").select_option(template["numberId"])
    await dialog.get_by_label("Template", exact=True).select_option(template["id"])
    await expect(preview).to_contain_text("{{1}}")
    await dialog.get_by_role("button", name="Save").click()
    fields = dialog.locator(".filling input")
    await expect(fields.first).to_have_attribute("aria-invalid", "true")
    assert await barriers(page) == []
    for field in await fields.all():
        await field.fill("amanhã")
    await expect(preview).not_to_contain_text("{{")
    await dialog.get_by_role("button", name="Save").click()
    made = page.locator("[data-step=p3]")
    await expect(made).to_contain_text(f"WhatsApp: template {template['name']}")


async def what_another_wrote_is_not_overwritten_unseen(visit: Visit, site: Dev, id: str) -> None:
    """Elsewhere in the draft both stay; in the same step both are shown."""
    page, dialog = visit.page, visit.page.get_by_role("dialog")
    hello, text = page.locator("[data-step=hello]"), dialog.get_by_label("Text", exact=True)
    await another_changes(site, id, "vip", rotulo="Is a VIP?")
    await hello.click()
    await page.get_by_role("button", name="Edit the step").click()
    await text.fill("Bem-vinda!")
    await dialog.get_by_role("button", name="Save").click()
    await visit.hears("both changes are in it")
    await expect(hello).to_contain_text("Bem-vinda!")
    await expect(page.locator("[data-step=vip]")).to_contain_text("Is a VIP?")

    await another_changes(site, id, "hello", config={"canal": "sms", "texto": "Hi there"})
    await page.get_by_role("button", name="Edit the step").click()
    await text.fill("Seja bem-vinda!")
    await dialog.get_by_role("button", name="Save").click()
    clash = page.get_by_role("dialog", name="Somebody else changed this draft")
    row = clash.get_by_role("row").filter(has_text="hello")
    await expect(row).to_contain_text(re.compile("Hi there.*Seja bem-vinda!"))
    assert await barriers(page) == []
    await clash.get_by_role("button", name="Keep it as it is").click()
    await expect(hello).to_contain_text("Hi there")
    await expect(text).to_have_value("Seja bem-vinda!")
    await another_changes(site, id, "hello", config={"canal": "sms", "texto": "Hi again"})
    await dialog.get_by_role("button", name="Save").click()
    await clash.get_by_role("button", name="Put mine in its place").click()
    await expect(dialog).to_have_count(0)
    await expect(hello).to_contain_text("Seja bem-vinda!")
    steps = await steps_of(site, id)
    assert steps["hello"]["config"]["texto"] == "Seja bem-vinda!"
    assert steps["vip"]["rotulo"] == "Is a VIP?"
    await expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    await page.get_by_role("button", name="Undo").click()
    await expect(hello).to_contain_text("Hi again")


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
        await page.locator("[data-step=p3]").click()
        await page.get_by_role("button", name="Remove the step").click()
        await expect(page.locator("[data-step]")).to_have_count(3)
        await a_template_goes_over_whatsapp(page, site)
        await what_another_wrote_is_not_overwritten_unseen(visit, site, id)


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
        await expect(page.locator("[data-step=wait]")).to_contain_text("1 entered, 1 waiting")
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
    await is_waiting(site, id)
    async with at_work(
        browser, site, f"/console/jornadas/{id}?passo=wait", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        await expect(page.get_by_role("button", name="Ana Saída")).to_be_visible()
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
        await visit.hears("A pessoa saiu")
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


async def test_a_draft_is_led_elsewhere_split_and_undone(browser: Browser, site: Dev) -> None:
    id = await made(site, "Led", seSim="gift", seNao="wait")
    async with at_work(browser, site, f"/console/jornadas/{id}?passo=vip") as visit:
        page, dialog = visit.page, visit.page.get_by_role("dialog")
        steps, undo = page.locator("[data-step]"), page.get_by_role("button", name="Undo")
        yes = page.get_by_label("“yes” leads to")
        await expect(yes).to_have_value("gift")
        assert (await fits(page), await barriers(page)) == (True, [])

        # Nothing would lead to the gift any more: it goes with the way, or stays.
        await yes.select_option("wait")
        await expect(dialog).to_contain_text("would leave the journey: Presente")
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Cancel").click()
        await expect(steps).to_have_count(6)
        await yes.select_option("wait")
        await dialog.get_by_role("button", name="Take them out too").click()
        await expect(steps).to_have_count(5)
        await undo.click()
        await expect(steps).to_have_count(6)

        await page.locator("[data-way='hello proximo']").click()
        await dialog.get_by_label("Kind").select_option("Split")
        await dialog.get_by_role("button", name="One more part").click()
        await dialog.get_by_label("Part 1, in %").fill("60")
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog).to_contain_text("add up to 100")
        await dialog.get_by_label("Part 2, in %").fill("39")
        await expect(dialog.get_by_role("status")).to_have_text("Sum: 100% of 100%")
        await page.reload()
        await page.locator("[data-way='hello proximo']").click()
        await expect(dialog.get_by_label("Part 2, in %")).to_have_value("39")
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Save").click()
        await expect(page.locator(".jn-way text")).to_contain_text(["60%", "39%", "1%"])
        await expect(page.locator("[data-step=p6]")).to_be_focused()
        assert await barriers(page) == []
        await page.keyboard.press("Control+z")
        await expect(steps).to_have_count(6)
        await page.keyboard.press("Control+y")
        await expect(steps).to_have_count(7)

        # All that follows is copied, and stands once more behind the gift.
        await page.locator("[data-step=vip]").focus()
        await page.keyboard.press("Control+Shift+C")
        await page.locator("[data-step=gift]").focus()
        await page.keyboard.press("Control+v")
        await expect(steps).to_have_count(11)
        await page.locator("[data-step=vip]").focus()
        await page.keyboard.press("Delete")
        await expect(dialog).to_contain_text("would leave the journey: Wait, Message")


async def test_versions_lie_side_by_side_and_those_inside_are_moved(
    browser: Browser, site: Dev
) -> None:
    id = await made(site, "Renewed", seSim="gift", seNao="wait")
    bia = await a_contact(site, "+5511987650394", "Bia Versão")
    await api_of(site, f"/v2/journeys/{id}/ativar", {})
    await api_of(site, f"/v2/journeys/{id}/entradas", {"contactIds": [bia]})
    await is_waiting(site, id)
    async with at_work(browser, site, f"/console/jornadas/{id}") as visit:
        page, dialog = visit.page, visit.page.get_by_role("dialog")
        standing = page.locator("[data-step=wait]")
        await expect(standing).to_contain_text("1 waiting")
        await page.get_by_role("button", name="More actions").click()
        await page.get_by_role("menuitem", name="New version").click()
        await expect(page.locator(".jn-head")).to_contain_text("version 2")
        await standing.click()
        await page.get_by_role("button", name="Edit the step").click()
        await dialog.get_by_label("Hours to wait").fill("36")
        await dialog.get_by_role("button", name="Save").click()
        await expect(standing).to_contain_text("36 hours")
        await page.get_by_role("button", name="Activate", exact=True).click()
        await dialog.get_by_role("button", name="Activate").click()
        await expect(page.locator(".jn-head .badge")).to_have_text("Active")

        await page.get_by_role("link", name="Compare with the version before").click()
        await expect(page.locator(".jn-mark")).to_have_text(["changed", "changed"])
        await expect(page.get_by_text("new: 0; changed: 1; gone: 0")).to_be_visible()
        assert (await fits(page), await barriers(page)) == (True, [])
        await page.get_by_role("button", name="Bring those inside the one before (1)").click()
        await expect(dialog.get_by_label("Wait: 1 waiting")).to_have_value("wait")
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Try").click()
        await expect(dialog).to_contain_text("1 would come, 0 would stay, 0 would leave")
        await dialog.get_by_role("button", name="Bring them").click()
        await visit.hears("goes on in this version")
        await expect(page.get_by_role("button", name="one before (0)")).to_be_visible()
        await page.get_by_role("link", name="Show this version alone").click()
        await expect(standing).to_contain_text("1 waiting")
