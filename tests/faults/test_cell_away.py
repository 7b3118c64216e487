"""A cell on a PostgreSQL of its own is stopped: its organizations are told 503, and nobody else notices. On Citus the
others live in a cell that it has placed.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from cli.embedded.postgres import EmbeddedPostgres
from tests.support.customer import Credential, Customer
from tests.support.migrated import copy_migrated
from tests.support.receiver import Receiver
from tests.support.service import Api, Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow


@pytest.fixture
async def west(tmp_path: Path, pytestconfig: pytest.Config) -> AsyncIterator[EmbeddedPostgres]:
    """Its server, with the newest schema."""
    kept = pytestconfig.cache.mkdir("postgres")
    await asyncio.to_thread(copy_migrated, tmp_path / "west", kept)
    server = EmbeddedPostgres(tmp_path / "west", durable=False)
    await asyncio.to_thread(server.start)
    yield server
    await asyncio.to_thread(server.stop)


async def a_customer_of(service: Service, api: Api, cell: str) -> Customer:
    """An organization that lives there, and a key of it."""
    made = await service.svc("org", "create", "Padaria do Sul", "--cell", cell)
    id = made["organizationId"]
    key = await service.svc("key", "create", "--org", id, "--env", "test", "--scopes", "all")
    return Customer(service.http, api.url, credential=Credential(key["id"], key["key"], id))


async def test_the_others_go_on_and_it_comes_back(
    service: Service, west: EmbeddedPostgres, receiver: Receiver
) -> None:
    running = await service.up()
    (api,), home = running.apis, running.customer
    added = await service.svc("cell", "add", "west", "--database-url", west.address)
    assert added == {"name": "west", "applied": 0}
    there = await a_customer_of(service, api, "west")
    assert (await service.svc("migrate"))["cells"]["west"] == []
    found = {
        one["organizationId"]: one["cell"] for one in (await service.svc("org", "list"))["items"]
    }
    assert found[there.credential.organization_id] == "west"
    assert found[home.credential.organization_id] == (service.cell or "main")

    async def is_served() -> bool:  # within seconds, without a restart
        return (await there.call("GET", "/v2/me")).status == 200

    await eventually(is_served, "the API knows the cell")
    await there.subscribe(receiver)
    assert (await there.send("0005", idempotency_key="first")).status == 201
    await eventually(lambda: len(receiver.arrivals) == 1, "the worker drains the cell")

    await asyncio.to_thread(west.stop)
    refused = await there.send("0005", idempotency_key="second")
    assert refused.status == 503, refused
    assert int(refused.headers["Retry-After"]) >= 1
    for number in range(5):
        assert (await home.send("0005", idempotency_key=f"home {number}")).status == 201
    async with service.http.get(f"{api.url}/readyz") as answer:
        assert (answer.status, await answer.json()) == (
            200,
            {"status": "degraded", "degraded": ["cell:west"]},
        )
    told = {one["name"]: one for one in (await service.svc("cell", "list"))["items"]}
    assert (told["west"]["up"], told["west"]["organizations"]) == (False, 1)

    await asyncio.to_thread(west.start)

    async def is_sent() -> bool:
        return (await there.send("0005", idempotency_key="second")).status == 201

    await eventually(is_sent, "the cell is served again")
    await eventually(lambda: len(receiver.arrivals) == 2, "the worker goes on")
    assert all(worker.running for worker in running.workers)


SECONDS = 2.0
"""That a request may take."""


async def test_a_home_that_hangs_holds_a_request_no_longer_than_it_may_take(
    service: Service, west: EmbeddedPostgres, receiver: Receiver
) -> None:
    api = await service.api(settings={"SVC_REQUEST_SECONDS": str(SECONDS)})
    await service.worker()
    await service.svc("cell", "add", "west", "--database-url", west.address)
    there = await a_customer_of(service, api, "west")

    async def is_served() -> bool:
        return (await there.call("GET", "/v2/me")).status == 200

    await eventually(is_served, "the API knows the cell")
    await there.subscribe(receiver)
    receiver.answer = lambda _: 200 if len(receiver.arrivals) > 1 else 500
    assert (await there.send("0005", idempotency_key="first")).status == 201
    await eventually(lambda: receiver.arrivals, "it is told, and refuses")

    took: list[float] = []
    async with frozen(service.machines.postmaster()):

        async def is_refused() -> bool:
            began = time.monotonic()
            answer = await there.call("GET", "/contacts")
            took.append(time.monotonic() - began)
            assert answer.status in (200, 503), answer
            return answer.status == 503

        await eventually(is_refused, "nobody says where it lives", every=0.2)
        for _ in range(3):
            assert await is_refused()
        await eventually(lambda: len(receiver.arrivals) == 2, "workers of the cell need no home")
    assert max(took) < SECONDS + 15  # five of them to cancel what was asked

    async def is_sent() -> bool:
        return (await there.send("0005", idempotency_key="second")).status == 201

    await eventually(is_sent, "it is served again")
    assert not api.logged("unexpected")


@asynccontextmanager
async def frozen(server: psutil.Process) -> AsyncIterator[None]:
    """It and all that it has started answer nobody meanwhile."""
    stopped = [server, *server.children(recursive=True)]
    for process in stopped:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(stopped):
            process.resume()
