"""A service with data in it, and a browser without a network in front of it."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright, expect

from tests.browser.chromium import MISSING, OPTIONS, chromium
from tests.support.dev import Dev, running_dev
from tests.support.processes import svc
from tests.support.waiting import PATIENCE

SEED = (
    "--contacts",
    "120",
    "--companies",
    "12",
    "--messages",
    "900",
    "--deals",
    "40",
    "--days",
    "30",
)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the run."""
    expect.set_options(timeout=PATIENCE * 1000)
    async with async_playwright() as playwright:
        program = chromium(playwright)
        if program is None:
            pytest.skip(MISSING)
        browser = await playwright.chromium.launch(executable_path=program, args=list(OPTIONS))
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Dev]:
    """`svc dev` with a month of a small company's data in its sandbox."""
    async with running_dev(tmp_path_factory.mktemp("site")) as dev:
        seed = ["seed", "--org", dev.organization_id, "--env", "test", *SEED]
        status, _, err = await svc(seed, environment=dev.environment)
        assert status == 0, err
        yield dev
