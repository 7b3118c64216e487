"""The dashboard in a browser: what it shows with which key, on which screen, and by keyboard alone.
How people log in to it is `test_dashboard_log_in.py`.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.barriers import barriers
from tests.browser.visits import Scheme, Visit, a_visit
from tests.support.dev import Dev
from tests.support.processes import svc
from tests.support.waiting import eventually

SCREENS = [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)]


@asynccontextmanager
async def opened(
    browser: Browser,
    site: Dev,
    *,
    key: str | None = None,
    scheme: Scheme = "light",
    width: int = 1280,
) -> AsyncIterator[Visit]:
    """The dashboard, opened with a key."""
    async with a_visit(browser, site.url, scheme=scheme, width=width) as visit:
        await visit.open("/dashboard")
        await by_key(visit.page)
        await visit.page.get_by_label("API key").fill(key or site.key)
        await visit.page.keyboard.press("Enter")
        await expect(visit.page.get_by_role("heading", name="Sales board")).to_be_visible()
        await expect(visit.page.locator("[aria-busy]")).to_have_count(0)
        yield visit


async def by_key(page: Page) -> None:
    """The other way in."""
    await page.get_by_role("button", name="Use an API key instead").click()
    await expect(page.get_by_label("API key")).to_be_focused()


async def command(site: Dev, *words: str) -> dict[str, Any]:
    """What a command answers."""
    status, out, err = await svc([*words, "--json"], environment=site.environment)
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


async def a_key(site: Dev, *scopes: str, env: str = "test") -> dict[str, Any]:
    """A key with these scopes alone."""
    owner = ("--org", site.organization_id, "--env", env)
    return await command(site, "key", "create", *owner, "--scopes", ",".join(scopes))


async def asked(site: Dev, query: str) -> Any:
    """What the gateway answers a program."""
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {site.key}"}) as http,
        http.post(f"{site.url}/graphql", json={"query": query}) as answer,
    ):
        return (await answer.json())["data"]


async def send(site: Dev, to: str) -> None:
    headers = {"Authorization": f"Bearer {site.key}", "Idempotency-Key": token_hex(8)}
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.post(
            f"{site.url}/v2/sms/messages", json={"to": to, "body": "Olá", "route": "premium"}
        ) as answer,
    ):
        assert answer.status == 201


# Screens


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
async def test_every_part_is_there_on_every_screen_without_barriers(
    browser: Browser, site: Dev, scheme: Scheme, width: int
) -> None:
    async with opened(browser, site, scheme=scheme, width=width) as visit:
        page = visit.page
        await page.locator(".person").first.click()
        await expect(page.locator(".entries .entry").first).to_be_visible()

        for title in ("Messages", "Live", "Sales board", "Contacts"):
            await expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        await expect(page.locator(".chart rect.part").first).to_be_attached()
        await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = await barriers(page)
        assert found == [], "\n".join(found)


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
async def test_the_way_in_has_no_barriers(
    browser: Browser, site: Dev, scheme: Scheme, width: int
) -> None:
    async with a_visit(browser, site.url, scheme=scheme, width=width) as visit:
        await visit.open("/dashboard")
        await expect(visit.page.get_by_label("E-mail")).to_be_focused()
        for field in ("API key", None):
            assert await visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert await barriers(visit.page) == []
            if field is not None:
                await by_key(visit.page)


async def test_colours_follow_the_system_unless_one_chooses(browser: Browser, site: Dev) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    async with a_visit(browser, site.url, scheme="dark") as visit:
        await visit.open("/dashboard")
        page = visit.page
        await page.get_by_label("Light").wait_for()
        dark = await page.evaluate(paper)

        await page.get_by_label("Light").check()
        light = await page.evaluate(paper)
        await page.reload()
        await expect(page.get_by_label("Light")).to_be_checked()

        assert await page.evaluate(paper) == light != dark
        await page.get_by_label("System").check()
        assert await page.evaluate(paper) == dark


# Keys


async def test_a_key_that_nobody_knows_is_asked_for_again(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/dashboard")
        page = visit.page
        await by_key(page)
        for key, said in (("svc_test_", "copy it whole"), ("svc_test_" + "x" * 42, "not known")):
            await page.get_by_label("API key").fill(key)
            await page.get_by_role("button", name="Open the dashboard").click()
            await expect(page.get_by_role("alert")).to_contain_text(said)
            await expect(page.get_by_label("API key")).to_be_focused()
        assert visit.forgive("401 (Unauthorized)") == 1


async def test_the_key_is_kept_nowhere_and_can_be_forgotten(browser: Browser, site: Dev) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        assert site.key not in await visit.kept()
        assert site.key not in await page.content()

        await page.get_by_role("button", name="Forget key").click()

        await expect(page.get_by_label("E-mail")).to_be_focused()
        await by_key(page)
        await expect(page.get_by_label("API key")).to_have_value("")
        await expect(page.locator(".panel")).to_have_count(0)
        await eventually(lambda: visit.open_sockets == 0, "the connection is closed")


async def test_a_revoked_key_is_asked_for_again(browser: Browser, site: Dev) -> None:
    made = await a_key(site, "crm:read", "contacts:read", "sms:read")
    async with opened(browser, site, key=made["key"]) as visit:
        await command(site, "key", "revoke", made["id"])

        async def refused() -> bool:
            """A process may know a key for two seconds longer."""
            if await visit.page.locator(".panel").count():
                await visit.page.get_by_label("Search contacts").fill(f"{len(visit.complaints)}")
            return await visit.page.get_by_role("alert").count() > 0

        await eventually(refused, "the key is asked for again", every=0.5)
        await expect(visit.page.get_by_role("alert")).to_contain_text("Paste a key again")
        await expect(visit.page.locator(".panel")).to_have_count(0)
        visit.forgive("401 (Unauthorized)")


async def test_a_part_that_the_key_may_not_see_names_the_scope(browser: Browser, site: Dev) -> None:
    async with opened(browser, site, key=(await a_key(site, "crm:read"))["key"]) as visit:
        page = visit.page

        await expect(page.locator("#volume")).to_contain_text("The scope sms:read is missing.")
        await expect(page.locator("#contacts")).to_contain_text(
            "The scope contacts:read is missing."
        )
        await expect(page.locator("#feed")).to_contain_text(
            "Messages are not shown: the scope sms:read is missing."
        )
        await expect(page.locator("#board .card").first).to_be_visible()


# Figures


async def test_figures_are_those_of_the_gateway_in_brazilian_spelling(
    browser: Browser, site: Dev
) -> None:
    data = await asked(
        site, "{ pipelines(first: 1) { nodes { etapas { nome quantidade valorTotal } } } }"
    )
    won = next(
        stage for stage in data["pipelines"]["nodes"][0]["etapas"] if stage["nome"] == "Ganho"
    )
    async with opened(browser, site) as visit:
        page = visit.page
        stage = page.get_by_label(f"Ganho: {won['quantidade']} deals")

        value = f"{won['valorTotal']:,.0f}".replace(",", ".")
        await expect(stage).to_contain_text(f"R$ {value}")
        await expect(page.locator("#volume .tile", has_text="Spent")).to_contain_text("R$ ")
        await page.get_by_text("Show as a table").click()
        sent = await page.locator("#volume tbody td:nth-child(2)").all_inner_texts()
        total = sum(int(number.replace(".", "")) for number in sent)
        await expect(page.locator("#volume .tile").first).to_contain_text(
            f"{total:,}".replace(",", ".")
        )


@pytest.mark.parametrize("period", ["24 h", "7 d", "90 d"])
async def test_another_period_has_its_own_columns(browser: Browser, site: Dev, period: str) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        await page.get_by_text("Show as a table").click()
        rows = page.locator("#volume tbody tr")
        await expect(rows).to_have_count(30)

        await page.get_by_role("radio", name=period).check()

        await expect(rows.or_(page.locator("#volume .nothing")).first).to_be_visible()
        await expect(rows).not_to_have_count(30)


async def test_an_environment_where_nothing_has_happened_says_so(
    browser: Browser, site: Dev
) -> None:
    made = await a_key(site, "sms:read", "crm:read", "contacts:read", env="live")
    async with opened(browser, site, key=made["key"]) as visit:
        page = visit.page

        await expect(page.locator("#volume")).to_contain_text("No messages in this period")
        await expect(page.locator("#board")).to_contain_text("There is no pipeline yet")
        await expect(page.locator("#contacts")).to_contain_text("There is no contact yet")
        await expect(page.locator(".env")).to_have_text("Live")


# Contacts


async def test_a_contact_is_found_by_a_part_of_the_name_and_its_past_loads_as_one_scrolls(
    browser: Browser, site: Dev
) -> None:
    data = await asked(
        site, "{ contacts(first: 100) { nodes { name timeline(first: 50) { nodes { id } } } } }"
    )
    most = max(
        (one for one in data["contacts"]["nodes"] if one["name"]),
        key=lambda one: len(one["timeline"]["nodes"]),
    )
    entries = len(most["timeline"]["nodes"])
    assert entries > 20, "the seed has somebody with a past"
    async with opened(browser, site) as visit:
        page = visit.page
        await page.get_by_label("Search contacts").fill(most["name"])
        await page.get_by_role("button", name=most["name"]).first.click()
        await expect(page.locator(".person-head")).to_contain_text(most["name"])
        await expect(page.locator(".entries .entry")).to_have_count(20)

        await page.get_by_role("region", name="Timeline").focus()
        await page.keyboard.press("End")

        await expect(page.locator(".entries .entry")).to_have_count(min(entries, 40))


async def test_nobody_is_found_by_a_name_that_nobody_has(browser: Browser, site: Dev) -> None:
    async with opened(browser, site) as visit:
        await visit.page.get_by_label("Search contacts").fill("nobody is called this")

        await expect(
            visit.page.get_by_role("status").filter(has_text="Nobody was found")
        ).to_be_visible()


# Live


async def test_what_happens_is_shown_and_a_pause_holds_it_back(browser: Browser, site: Dev) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()
        await eventually(
            lambda: any("connection_ack" in frame for frame in visit.frames), "the socket is ours"
        )
        await send(site, "+5511987650005")
        items = page.locator("#feed .entry")
        await expect(items.first).to_contain_text("98765-0005")
        await expect(items.first).to_contain_text("Delivered")

        await page.get_by_role("button", name="Pause").click()
        await send(site, "+5511987650006")
        await expect(page.get_by_role("button", name="Resume (")).to_be_visible()
        await expect(items.first).to_contain_text("98765-0005")
        await page.get_by_role("button", name="Resume").click()

        await expect(items.first).to_contain_text("98765-0006")


async def test_the_live_box_begins_with_what_happened_last(browser: Browser, site: Dev) -> None:
    await send(site, "+5511987650015")
    async with opened(browser, site) as visit:
        items = visit.page.locator("#feed .entry")
        await expect(items.filter(has_text="98765-0015").first).to_be_visible()
        assert await items.count() > 5
        times = await items.locator("time").evaluate_all("all => all.map((one) => one.dateTime)")
        assert times == sorted(times, reverse=True)
    key = (await a_key(site, "sms:read", "crm:read", "contacts:read", env="live"))["key"]
    async with opened(browser, site, key=key) as visit:
        await expect(visit.page.get_by_role("region", name="Live feed")).to_contain_text(
            "Quiet for now."
        )


# Figures that move on


async def test_figures_and_balance_follow_also_under_a_pointer_that_rests(
    browser: Browser, site: Dev
) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        await expect(page.locator(".state")).to_have_text("Live")
        await page.get_by_text("Show as a table").click()
        await page.locator(".chart").focus()
        await page.keyboard.press("End")
        column = await page.locator(".readout strong").inner_text()
        tile = page.locator("#volume .tile").first
        await tile.hover()
        sent, balance = await tile.inner_text(), await page.locator(".balance").inner_text()

        async def moved() -> bool:
            """Until the subscription is heard, a send is told to nobody."""
            await send(site, "+5511987650025")
            return await tile.inner_text() != sent

        await eventually(moved, "the tile moves on", within=60, every=2)
        await expect(page.locator(".balance")).not_to_have_text(balance, timeout=25_000)
        assert await page.locator(".readout strong").inner_text() == column
        await expect(page.locator(".chart")).to_be_focused()
        await expect(page.locator("#volume tbody tr")).to_have_count(30)


async def test_a_refreshed_board_keeps_focus_and_what_was_unfolded(
    browser: Browser, site: Dev
) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        folded = page.locator(".stage", has=page.locator('[data-key^="more-"]')).first
        stage = page.get_by_label(str(await folded.get_attribute("aria-label")), exact=True)
        await stage.get_by_role("button", name="Show more of").click()
        await expect(stage.locator(".card").nth(8)).to_be_visible()
        shown = await stage.locator(".card").count()
        person = page.locator(".card .link").first
        await person.focus()
        key = await person.get_attribute("data-key")
        before = await person.evaluate_handle("(one) => one")

        await visit.cut()

        async def anew() -> bool:
            return not bool(await before.evaluate("(one) => one.isConnected"))

        await eventually(anew, "the board is drawn anew", within=60, every=0.5)
        await expect(page.locator(f'[data-key="{key}"]')).to_be_focused()
        assert await stage.locator(".card").count() == shown


@pytest.mark.parametrize("width", [360, 390, 1280])
async def test_labels_lie_beside_what_they_name(browser: Browser, site: Dev, width: int) -> None:
    async with opened(browser, site, width=width) as visit:
        rows = await visit.page.locator(".channels li").evaluate_all(BOXES_OF_A_CHANNEL)
        assert len(rows) > 1
        for label, bar in rows:
            assert label["right"] <= bar["left"]
        for period in ("24 h", "7 d", "30 d", "90 d"):
            await visit.page.get_by_role("radio", name=period).check()
            await expect(visit.page.locator("#volume[aria-busy]")).to_have_count(0)
            ticks = await visit.page.locator(".chart .tick").evaluate_all(BOXES)
            for index, one in enumerate(ticks):
                assert not any(overlap(one, other) for other in ticks[index + 1 :]), period


BOXES = "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
BOXES_OF_A_CHANNEL = """(all) => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one.querySelector(".channel"));
  return [range, one.querySelector(".meter")].map((box) => box.getBoundingClientRect().toJSON());
})"""


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["left"] < other["right"]
        and other["left"] < one["right"]
        and one["top"] < other["bottom"]
        and other["top"] < one["bottom"]
    )


async def test_a_deal_on_the_move_is_told_and_the_board_follows(
    browser: Browser, site: Dev
) -> None:
    find = "{ pipelines(first: 1) { nodes { etapas { id nome resultado cards(first: 1) { nodes { id titulo } } } } } }"
    stages = (await asked(site, find))["pipelines"]["nodes"][0]["etapas"]
    here = next(
        stage for stage in stages if stage["resultado"] == "ABERTA" and stage["cards"]["nodes"]
    )
    there = next(stage for stage in stages if stage["resultado"] == "ABERTA" and stage is not here)
    card = here["cards"]["nodes"][0]
    async with opened(browser, site) as visit:
        page = visit.page
        item = page.locator("#feed .entry", has_text=card["titulo"]).first
        ways = [there, here]

        async def told() -> bool:
            """Until the subscription is heard, a move is told to nobody."""
            await asked(
                site,
                f'mutation {{ moveCard(id: "{card["id"]}", input: {{etapaId: "{ways[0]["id"]}"}}) {{ id }} }}',
            )
            ways.reverse()
            return await item.count() > 0

        await eventually(told, "a move is told", every=0.5)
        await expect(item).to_contain_text("→")
        last = ways[1]["nome"]

        column = page.locator(".stage", has=page.get_by_role("heading", name=last))
        await expect(column).to_contain_text(card["titulo"], timeout=25_000)


async def test_a_lost_connection_is_said_and_made_again(browser: Browser, site: Dev) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        state = page.locator(".state")
        await expect(state).to_have_text("Live")

        await visit.cut()

        await expect(state).to_contain_text("again in")
        await expect(state).to_have_text("Live")


# Keyboard

STOPS = {
    "theme",
    "period",
    "chart",
    "quiet-button",
    "feed-frame",
    "pipeline",
    "stages",
    "link",
    "search",
    "person",
}
FOCUSED = """(() => {
  const element = document.activeElement;
  const shown = element.matches(".segments input") ? element.nextElementSibling : element;
  const ring = getComputedStyle(shown).outlineStyle;
  return [element.className || element.name || element.id || element.tagName, ring];
})()"""


async def test_everything_is_reached_by_keyboard(browser: Browser, site: Dev) -> None:
    async with a_visit(browser, site.url) as visit:
        await visit.open("/dashboard")
        page = visit.page
        await by_key(page)
        await page.keyboard.type(site.key)
        await page.keyboard.press("Enter")
        await expect(page.locator(".person").first).to_be_visible()

        await page.locator("body").press("Shift+Tab")
        focused: list[str] = []
        for _ in range(60):
            await page.keyboard.press("Tab")
            name, ring = await page.evaluate(FOCUSED)
            assert ring != "none" or name == "BODY", f"{name} shows no focus"
            focused.append(name)

        for stop in (
            "theme",
            "period",
            "chart",
            "quiet-button",
            "feed-frame",
            "pipeline",
            "stages",
            "search",
            "person",
        ):
            assert stop in focused, (stop, focused)


async def test_the_chart_is_read_with_arrow_keys_and_the_list_walked(
    browser: Browser, site: Dev
) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        await page.locator(".chart").focus()
        await page.keyboard.press("End")
        last = await page.locator(".readout strong").inner_text()
        await page.keyboard.press("ArrowLeft")
        assert await page.locator(".readout strong").inner_text() != last

        await page.get_by_label("Search contacts").focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")

        await expect(page.locator(".person").nth(1)).to_have_attribute("aria-current", "true")
        await expect(page.locator(".person-head h3")).to_be_visible()


async def test_the_first_stop_skips_to_the_content(browser: Browser, site: Dev) -> None:
    async with opened(browser, site) as visit:
        page = visit.page
        await page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges()")
        await page.reload()
        await page.get_by_label("E-mail").evaluate("field => field.blur()")
        await page.locator(".skip").focus()

        await expect(page.locator(".skip")).to_be_in_viewport()
        await page.keyboard.press("Enter")
        await expect(page.locator("#content")).to_be_focused()
