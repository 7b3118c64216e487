"""A whole service of its own for one test: fresh database, real processes, all of it gone at the
end.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import aiohttp
import asyncpg
import psutil
import pytest
from redis.asyncio import Redis

from cli.embedded.postgres import DATABASE, EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from tests.support import citus
from tests.support.books import Connection
from tests.support.customer import Credential, Customer
from tests.support.migrated import copy_migrated
from tests.support.processes import (
    SHORT_LEASE,
    Process,
    free_port,
    listening,
    plain_environment,
    svc,
)
from tests.support.receiver import Receiver, a_receiver
from tests.support.waiting import eventually

TEMPLATE = "migrated"
SOUTH, SOUTH_TEMPLATE = "south", "migrated_south"
CEILING = "5000"
SMALL_POOL = "2"
"""A connection that leaks is missed at once."""


@dataclass
class Machines:
    """A PostgreSQL and a Redis that tests may stop and start."""

    postgres: EmbeddedPostgres
    redis: EmbeddedRedis
    names: Iterator[int]
    placed: citus.CitusCells | None = None
    """The same servers, where they are a cluster of Citus."""

    def postmaster(self) -> psutil.Process:
        """The first process of PostgreSQL, on Citus of the coordinator."""
        if self.placed is not None:
            return self.placed.postmaster()
        pid = (self.postgres.folder / "data" / "postmaster.pid").read_text().split()[0]
        return psutil.Process(int(pid))


@dataclass
class Running:
    """A service that works, and a customer of it."""

    apis: list["Api"]
    workers: list[Process]
    customer: Customer


class Api(Process):
    """An API process and where it listens."""

    port: int
    url: str


class Service:
    """The service of one test, driven through its commands and its HTTP address."""

    def __init__(
        self,
        machines: Machines,
        environment: dict[str, str],
        folder: Path,
        http: aiohttp.ClientSession,
        known: Credential,
    ) -> None:
        self.machines = machines
        self._known = known
        self.cell: str | None = None
        """The name of the cell in which its customers live, unless it is the home."""
        self.cell_url: str | None = None
        self.machine: citus.Machine | None = None
        """The server of the cluster that holds that cell."""
        self.home_machine: citus.Machine | None = None
        """The one that holds the home, which is another."""
        self.rows_url: str | None = None
        """The address of that cell at that server."""
        self.environment = environment
        self.http = http
        self.redis: Redis = Redis.from_url(machines.redis.address)
        self._folder = folder
        self._processes: list[Process] = []
        self._connections: list[Connection] = []
        self._copies: list[str] = []

    async def up(self, *, apis: int = 1, workers: int = 1, short_lease: bool = False) -> Running:
        """Start APIs and workers at once; the customer is one that every database has."""
        started_apis, started_workers = await asyncio.gather(
            asyncio.gather(*(self.api() for _ in range(apis))),
            asyncio.gather(*(self.worker(short_lease=short_lease) for _ in range(workers))),
        )
        customer = Customer(self.http, *(api.url for api in started_apis), credential=self._known)
        return Running(list(started_apis), list(started_workers), customer)

    async def lead_to_cell(self, address: str) -> None:
        """Let its processes reach its other cell there, from when they start."""
        await self.svc("cell", "add", SOUTH, "--replace", "--database-url", address)

    async def svc(self, *words: str) -> dict[str, Any]:
        """What a command answers with --json."""
        return await _answer(words, self.environment)

    async def new_customer(self, *apis: Api) -> Customer:
        """Another organization and its sandbox key, made in the shell."""
        return Customer(
            self.http,
            *(api.url for api in apis),
            credential=await _new_credential(self.environment, cell=self.cell),
        )

    async def api(
        self,
        *,
        port: int | None = None,
        processes: int = 1,
        script: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> Api:
        """Start an API of one or several processes and wait until it is ready."""
        port = port or free_port()
        api = Api(
            f"api-{port}",
            ["api", "--port", str(port), "--workers", str(processes)],
            environment={**self.environment, **(settings or {})},
            log=self._log(f"api-{port}"),
            script=script,
            fresh=processes > 1,  # they are started by the first one
        )
        self._processes.append(api)
        api.port, api.url = port, f"http://127.0.0.1:{port}"
        await listening(port, api)

        async def ready() -> bool:
            async with self.http.get(f"{api.url}/readyz") as answer:
                return answer.status == 200

        await eventually(ready, lambda: f"{api.name} is ready\n{api.lines}")
        if processes > 1:
            await eventually(
                lambda: len(api.logged("api_started")) == processes, "all of its processes serve"
            )
        return api

    async def worker(
        self,
        *,
        short_lease: bool = False,
        script: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> Process:
        """Start a worker and wait until it works."""
        name = f"worker-{len(self._processes)}"
        worker = Process(
            name,
            ["worker"],
            environment={**self.environment, **(settings or {})},
            log=self._log(name),
            script=SHORT_LEASE if short_lease else script,
        )
        self._processes.append(worker)

        def works() -> bool:
            assert worker.running, f"{name} ended:\n{worker.lines}"
            return bool(worker.logged("worker_started"))

        await eventually(works, lambda: f"{name} works\n{worker.lines}")
        return worker

    async def smpp(
        self,
        *,
        port: int | None = None,
        script: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> tuple[Process, int]:
        """Start an SMPP server and wait until it serves. Answers its port, too."""
        port = port or free_port()
        name = f"smpp-{port}-{len(self._processes)}"
        process = Process(
            name,
            ["smpp", "--port", str(port)],
            environment={**self.environment, **(settings or {})},
            log=self._log(name),
            script=script,
        )
        self._processes.append(process)
        await listening(port, process)
        await eventually(
            lambda: process.logged("smpp_started"), lambda: f"it serves\n{process.lines}"
        )
        return process, port

    async def books(self) -> Connection:
        """A look into the database of its customers, beside the service."""
        return await self._look_into(self.cell_url or self.environment["DATABASE_URL"])

    async def at_home(self) -> Connection:
        """A look into the home."""
        return await self._look_into(self.environment["DATABASE_URL"])

    async def rows(self) -> Connection:
        """The same where the rows lie: on Citus at the machine, whose locks are its own."""
        return await (self.books() if self.rows_url is None else self._look_into(self.rows_url))

    async def _look_into(self, address: str) -> Connection:
        connection: Connection = await asyncpg.connect(address)
        self._connections.append(connection)
        return connection

    async def copy_of_the_database(self) -> str:
        """The address of a copy, as it is now. No process of the service may be running."""
        name = urlsplit(self.environment["DATABASE_URL"]).path[1:]
        copy = f"{name}_copy"
        self._copies.append(copy)
        return await asyncio.to_thread(self.machines.postgres.create_database, copy, template=name)

    async def another_database(self) -> str:
        """The address of one more database, with the newest schema and the customer that every
        database has.
        """
        name = f"{urlsplit(self.environment['DATABASE_URL']).path[1:]}_another"
        self._copies.append(name)
        return await asyncio.to_thread(
            self.machines.postgres.create_database, name, template=TEMPLATE
        )

    async def close(self) -> None:
        """End every process, at once: its database goes with it."""
        for process in self._processes:
            await process.kill()
        for connection in self._connections:
            connection.terminate()
        for copy in self._copies:
            self.machines.postgres.drop_database(copy)
        await self.redis.aclose()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"


@pytest.fixture(scope="session")
def machines(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Machines]:
    """Servers apart from those of the other tests: here they are stopped and restarted."""
    folder = tmp_path_factory.mktemp("machines")
    with ExitStack() as undo:
        if (cluster := citus.running()) is not None:
            placed = citus.CitusCells(cluster)
            placed.create_database(SOUTH_TEMPLATE, template=DATABASE)
            postgres = cast(EmbeddedPostgres, placed)  # it does what the tests ask of one
        else:
            placed = None
            copy_migrated(folder / "postgres", pytestconfig.cache.mkdir("postgres"))
            postgres = undo.enter_context(EmbeddedPostgres(folder / "postgres", durable=False))
        redis = undo.enter_context(EmbeddedRedis(folder / "redis", durable=False))
        postgres.create_database(TEMPLATE, template=DATABASE)
        yield Machines(postgres, redis, count(), placed)


@pytest.fixture(scope="session")
async def template(machines: Machines) -> Credential:
    """The database that each test gets a copy of: the newest schema, and a customer in it."""
    environment = _environment(machines, machines.postgres.address_of(TEMPLATE))
    if citus.running() is None:
        return await _new_credential(environment)
    await _add_south(environment, machines.postgres.address_of(SOUTH_TEMPLATE))
    return await _new_credential(environment, cell=SOUTH)


async def _add_south(environment: dict[str, str], address: str) -> None:
    await _answer(["cell", "add", SOUTH, "--database-url", address], environment)


async def migrated(machines: Machines) -> Credential:
    """Bring an empty template to the newest schema, and make a customer in it."""
    environment = _environment(machines, machines.postgres.address_of(TEMPLATE))
    await _answer(["migrate"], environment)
    return await _new_credential(environment)


@pytest.fixture
async def service(
    machines: Machines, template: Credential, tmp_path: Path
) -> AsyncIterator[Service]:
    """A service with a database of its own and nothing running yet."""
    async with a_service(machines, template, tmp_path) as service:
        yield service


@asynccontextmanager
async def a_service(
    machines: Machines, template: Credential, folder: Path
) -> AsyncIterator[Service]:
    """A service with a database of its own and nothing running yet; its processes write their lines
    to `folder`.
    """
    name = f"service_{next(machines.names)}"
    address = machines.postgres.create_database(name, template=TEMPLATE)
    async with aiohttp.ClientSession() as http:
        service = Service(machines, _environment(machines, address), folder, http, template)
        await service.redis.flushall()
        try:
            if machines.placed is not None:
                await _let_customers_live_in_south(service, machines.placed, name)
            yield service
        finally:
            await service.close()
    machines.postgres.drop_database(name)


async def _let_customers_live_in_south(
    service: Service, cells: citus.CitusCells, name: str
) -> None:
    """On Citus a service has two cells on two machines, and whoever is a customer lives in the second."""
    south = f"{name}_{SOUTH}"
    service.cell, service.cell_url = SOUTH, cells.create_database(south, template=SOUTH_TEMPLATE)
    service.home_machine = cells.machine_of(name)
    service.machine, service.rows_url = cells.machine_of(south), cells.address_at_machine(south)
    service._copies.append(south)
    await service.lead_to_cell(service.cell_url)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A customer's endpoint on this machine."""
    async with a_receiver() as receiver:
        yield receiver


async def _new_credential(environment: dict[str, str], cell: str | None = None) -> Credential:
    where = [] if cell is None else ["--cell", cell]
    organization = await _answer(["org", "create", "A customer", *where], environment)
    id = organization["organizationId"]
    owner = ("--org", id, "--env", "test")
    made: dict[str, Any]
    made, _ = await asyncio.gather(
        _answer(["key", "create", *owner, "--scopes", "all"], environment),
        _answer(["limits", "set", *owner, "--sms-per-second", CEILING], environment),
    )
    return Credential(made["id"], made["key"], id)


async def _answer(words: Sequence[str], environment: dict[str, str]) -> dict[str, Any]:
    status, out, err = await svc([*words, "--json"], environment=environment)
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


def _environment(machines: Machines, database_url: str) -> dict[str, str]:
    return plain_environment() | {
        "DATABASE_URL": database_url,
        "REDIS_URL": machines.redis.address,
        "SVC_DATA_DIR": str(machines.redis.folder),
        "SVC_HASH_KEY": "the hash key of the tests",
        "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(range(32))).decode(),
        "SVC_DATABASE_POOL": SMALL_POOL,
        "SVC_SANDBOX_DELAY_SECONDS": "0.2",
        "SVC_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
        "SVC_WEBHOOK_ALLOW_HTTP": "on",
    }
