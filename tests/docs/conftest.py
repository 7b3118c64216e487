"""One service for all pages; each page is read by a customer of its own."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from tests.docs.reader import Household, Reader
from tests.docs.shell import Shell
from tests.support.customer import Credential
from tests.support.processes import ROOT
from tests.support.service import Machines, Running, Service, a_service


@pytest.fixture(scope="session")
async def published(
    machines: Machines, template: Credential, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Service, Running]]:
    """The service that the pages are about."""
    async with a_service(machines, template, tmp_path_factory.mktemp("published")) as service:
        yield service, await service.up()


@pytest.fixture(scope="session")
async def households(published: tuple[Service, Running]) -> list[Household]:
    """A customer for each page."""
    service, _ = published
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.docs.households",
        str(len(PAGES)),
        cwd=ROOT,
        env=service.environment,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return [Household(**one) for one in json.loads(out)]


@pytest.fixture
async def reader(published: tuple[Service, Running], households: list[Household], tmp_path: Path) -> Reader:
    """A reader in front of the running service, with what the pages take for granted."""
    service, running = published
    household, books = households.pop(), await service.books()
    # Pages log in by address alone, which is only enough while one account has it.
    await books.execute(
        "UPDATE accounts SET email = CASE WHEN organization_id = $1 THEN ltrim(email, '.') ELSE '.' || email END "
        "WHERE starts_with(email, '.') = (organization_id = $1)",
        household.organization,
    )
    folder = tmp_path / "reader"
    folder.mkdir()
    return await Reader.at(running, Shell(folder, service.environment), household)
