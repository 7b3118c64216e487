"""A running service, its two contracts as files, and a folder in which strangers' programs are made
from them.
"""

from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.clients.examples import ORIGIN, Site
from tests.clients.toolbox import HERE, no_node, npm_packages, python_tools
from tests.support.dev import Dev, running_dev
from tests.support.processes import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of files, whose pages are of another origin than the service."""
    folder = tmp_path_factory.mktemp("site")
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))
    )
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{server.server_port}", folder)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
async def service(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Dev]:
    """`svc dev`, and nothing in it but its demo organization; two other origins may call it."""
    folder = tmp_path_factory.mktemp("service")
    async with running_dev(folder, SVC_CORS_ORIGINS=f"{ORIGIN},{site.url}") as dev:
        yield dev


@pytest.fixture(scope="session")
async def document(service: Dev, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The OpenAPI document as the service publishes it."""
    async with httpx.AsyncClient() as http:
        answer = await http.get(f"{service.url}/openapi.json")
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    file.write_bytes(answer.content)
    return file


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder of the generators in Python."""
    return python_tools()


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of npm and our programs, as somebody has a project."""
    if (reason := no_node()) is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "node_modules").symlink_to(npm_packages())
    for file in [
        *HERE.glob("programs/*"),
        HERE / "package.json",
        ROOT / "graphql_api/schema.graphql",
    ]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder
