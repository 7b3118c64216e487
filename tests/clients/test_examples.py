"""The example pages of urql, Apollo and Relay run as they stand there, from another origin."""

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from cli.demo_file import read_demo
from tests.browser.chromium import MISSING, OPTIONS, chromium
from tests.clients.examples import ORIGIN, PAGES, Site, build, copy_out, files_of
from tests.clients.toolbox import finished
from tests.support.dev import Dev

pytestmark = pytest.mark.timeout(600)  # the first run installs

EACH = pytest.mark.parametrize("built", PAGES, ids=lambda page: page.stem, indirect=True)
TOLD = re.compile(
    r"criado: Ana\ncriado: Bia\ncriado: Caio\n2 de (\d+)\n((?:mais \d\n)+)recusado: VALIDATION_ERROR\n"
)


@pytest.fixture(scope="module")
def built(
    request: pytest.FixtureRequest,
    workshop: Path,
    service: Dev,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The folder of a page whose program was compiled as strictly as TypeScript can."""
    folder = tmp_path_factory.mktemp(request.param.stem)
    copy_out(request.param, workshop, folder, service=service.url)
    build(folder, workshop)
    return folder


def owner(service: Dev) -> tuple[str, str]:
    """Who logs in: address and password."""
    demo = read_demo(Path(service.environment["SVC_DATA_DIR"]))
    assert demo is not None
    return demo["owner"]["email"], demo["owner"]["password"]


def assert_toured(lines: str) -> None:
    """All contacts were read, page by page, and what is wrong was refused."""
    found = TOLD.fullmatch(lines)
    assert found is not None, lines
    assert 2 + sum(map(int, re.findall(r"\d+", found[2]))) == int(found[1])


def test_there_are_pages() -> None:
    assert [page.stem for page in PAGES] == ["apollo", "relay", "urql"]
    for page in PAGES:
        assert {"src/contacts.ts", "src/main.ts", "public/index.html"} <= files_of(page).keys()


@EACH
def test_the_program_of_a_page_runs_where_cors_is_asked(
    built: Path, workshop: Path, service: Dev
) -> None:
    email, password = owner(service)
    given = {"EMAIL": email, "PASSWORD": password, "ORIGIN": ORIGIN}
    as_a_page = ["--import", str(workshop / "from_another_origin.mjs")]
    assert_toured(finished(["node", *as_a_page, "public/node.js"], folder=built, given=given))


@EACH
def test_from_an_origin_that_is_not_named_it_does_not(
    built: Path, workshop: Path, service: Dev
) -> None:
    email, password = owner(service)
    given = {"EMAIL": email, "PASSWORD": password, "ORIGIN": "http://localhost:5174"}
    as_a_page = ["--import", str(workshop / "from_another_origin.mjs")]
    with pytest.raises(AssertionError, match="Failed to fetch"):
        finished(["node", *as_a_page, "public/node.js"], folder=built, given=given)


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """An empty page of a browser."""
    async with async_playwright() as playwright:
        program = chromium(playwright)
        if program is None:
            pytest.skip(MISSING)
        browser = await playwright.chromium.launch(executable_path=program, args=OPTIONS)
        try:
            yield await browser.new_page()
        finally:
            await browser.close()


@EACH
async def test_the_page_runs_in_a_browser(
    built: Path, site: Site, service: Dev, page: Page
) -> None:
    shutil.copytree(built / "public", site.folder / built.name)
    email, password = owner(service)
    await page.goto(f"{site.url}/{built.name}/")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Senha").fill(password)
    await page.get_by_role("button").click()

    end = page.locator("li").get_by_text(re.compile("^(pronto|erro)"))
    await expect(end).to_be_visible(timeout=60_000)
    lines = await page.locator("li").all_text_contents()
    assert lines.pop() == "pronto", lines
    assert_toured("".join(f"{line}\n" for line in lines))
    assert await page.evaluate("localStorage.length + sessionStorage.length") == 0
