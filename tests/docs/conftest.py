"""One service for all pages; each page is read with a demo organization of its own, after the
README.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from tests.docs.reader import Reader
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
async def households(
    published: tuple[Service, Running], tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    """A folder for each page, as `svc dev` leaves it."""
    service, _ = published
    folder = tmp_path_factory.mktemp("households")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.docs.households",
        str(folder),
        str(len(PAGES)),
        cwd=ROOT,
        env=service.environment,
    )
    assert await process.wait() == 0
    return [folder / str(number) for number in range(len(PAGES))]


@pytest.fixture
async def reader(published: tuple[Service, Running], households: list[Path]) -> Reader:
    """A reader in front of the running service."""
    service, running = published
    folder = households.pop()
    return Reader(Shell(folder, service.environment), url=running.apis[0].url, data=folder / ".svc")
