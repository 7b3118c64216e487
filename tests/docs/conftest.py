"""One service for all pages; each page is read with a demo organization of its own, after the tour
of the README.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from tests.docs.reader import Reader
from tests.docs.shell import Shell
from tests.support.customer import Credential
from tests.support.processes import ROOT, Process, free_port, listening
from tests.support.service import Machines, Service, a_service

COUNT = len(PAGES) + 1
"""A household for each page, and one for whoever is told over a socket."""
SECRET = "a-secret-of-this-machine"
"""What pages say to start the service with, to try what somebody else's server sends."""


@dataclass(frozen=True)
class Published:
    """The service that the pages are about, and where it listens."""

    service: Service
    url: str
    smpp_port: int


@pytest.fixture(scope="session")
async def published(
    machines: Machines, template: Credential, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Published]:
    """Everything that pages tell to start: the API, a worker, SMPP, and a gateway beside them."""
    folder = tmp_path_factory.mktemp("published")
    async with a_service(machines, template, folder) as service:
        gateway, port = free_port(), free_port()
        service.environment |= {
            "SVC_GATEWAY_URL": f"http://127.0.0.1:{gateway}",
            "SVC_GATEWAY_SECRET": SECRET,
            "SVC_PAYMENTS_SECRET": SECRET,
            "SVC_SMTP_FEEDBACK_SECRET": SECRET,
        }
        example = Process(
            "gateway-example",
            [
                "gateway-example", "--port", str(gateway), "--delay", "0.1",
                "--service", f"http://127.0.0.1:{port}",
            ],
            environment=service.environment,
            log=folder / "gateway-example.log",
        )  # fmt: skip
        try:
            api, _, (_, smpp_port), _ = await asyncio.gather(
                service.api(port=port),
                service.worker(),
                service.smpp(),
                listening(gateway, example),
            )
            yield Published(service, api.url, smpp_port)
        finally:
            await example.kill()


@pytest.fixture(scope="session")
async def households(published: Published, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A folder for each page, as `svc dev` leaves it."""
    folder = tmp_path_factory.mktemp("households")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.docs.households",
        str(folder),
        str(COUNT),
        cwd=ROOT,
        env=published.service.environment,
    )
    assert await process.wait() == 0
    return [folder / str(number) for number in range(COUNT)]


@pytest.fixture
async def reader(published: Published, households: list[Path]) -> Reader:
    """A reader in front of the running service."""
    folder = households.pop()
    return Reader(
        Shell(folder, published.service.environment),
        url=published.url,
        data=folder / ".svc",
        smpp_port=published.smpp_port,
    )
