"""A service of its own whose live SMS leave through a gateway that the test rules."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.gateway import SECRET, FakeGateway, a_gateway
from tests.support.books import Connection, check_wallets
from tests.support.customer import Credential, Customer
from tests.support.processes import Process, free_port, listening
from tests.support.service import CEILING, TEMPLATE, Api, Machines, Service, _answer, _environment
from tests.support.waiting import eventually

# -P: modules beside the script would hide packages of their name.
IMPATIENT = Path(__file__).with_name("impatient.py")
COINS = 10_000_000
GATEWAY_SECONDS = "0.5"


@dataclass
class LiveService:
    """The service, its gateway, and a live customer with money."""

    service: Service
    gateway: FakeGateway
    customer: Customer
    books: Connection

    async def api(
        self, *, url: str | None = None, port: int | None = None, seconds: str = GATEWAY_SECONDS
    ) -> Api:
        """Start an API that hands over to the gateway, or to another address; the customer calls it
        from now on.
        """
        port = port or free_port()
        environment = self._environment(url or self.gateway.url, seconds)
        api = Api(
            f"api-{port}",
            ["api", "--port", str(port)],
            environment=environment,
            log=self._log("api"),
            script=IMPATIENT,
        )
        self.service._processes.append(api)
        api.port, api.url = port, f"http://127.0.0.1:{port}"
        await listening(port, api)

        async def ready() -> bool:
            async with self.service.http.get(f"{api.url}/readyz") as answer:
                return answer.status == 200

        await eventually(ready, lambda: f"{api.name} is ready\n{api.lines}")
        self.customer.urls = (api.url,)
        return api

    async def worker(self) -> Process:
        """Start a worker that asks the gateway."""
        environment = self._environment(self.gateway.url, GATEWAY_SECONDS)
        worker = Process(
            "worker", ["worker"], environment=environment, log=self._log("worker"), script=IMPATIENT
        )
        self.service._processes.append(worker)
        await eventually(
            lambda: worker.logged("worker_started"), lambda: f"the worker works\n{worker.lines}"
        )
        return worker

    async def everything_is_settled(self) -> None:
        """Wait until no message is under way, no price is held, and no delivery is due."""

        async def settled() -> bool:
            left: int = await self.books.fetchval(
                "SELECT (SELECT count(*) FROM messages WHERE status = 'sending' OR settle_at IS NOT NULL) "
                "+ (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL)"
            )
            return left == 0

        await eventually(settled, "everything is settled", every=0.2)

    async def check_books(self) -> None:
        """What the gateway took is paid once and nothing else is, and the wallets add up."""
        first: dict[str, Any] = {}
        for message in (json.loads(seen.body) for seen in self.gateway.sends):
            assert first.setdefault(message["id"], message) == message, (
                "a repeat was another message"
            )
        captures = [row["origin"] for row in await self.books.fetch(CAPTURES)]
        assert sorted(captures) == sorted(self.gateway.taken)
        rows = {row["id"]: row for row in await self.books.fetch(MESSAGES)}
        assert set(self.gateway.taken) <= set(rows)
        for id, row in rows.items():
            if id in self.gateway.taken:
                assert (row["status"], row["provider_reference"]) == (
                    "sent",
                    self.gateway.taken[id].reference,
                )
                assert row["coins"] == 800
            else:
                assert (row["status"], row["coins"]) == ("failed", 0)
                assert row["reason"] in (None, "blacklisted", "indeterminate")
        numbers = [
            row["number"] for id, row in rows.items() if id in self.gateway.taken and row["number"]
        ]
        assert len(set(numbers)) == len(numbers), "one key left twice"
        await check_wallets(self.books)

    def _environment(self, url: str, seconds: str) -> dict[str, str]:
        return self.service.environment | {
            "SVC_GATEWAY_URL": url,
            "SVC_GATEWAY_SECRET": SECRET,
            "SVC_GATEWAY_TIMEOUT_SECONDS": seconds,
        }

    def _log(self, name: str) -> Path:
        return self.service._log(f"{name}-{len(self.service._processes)}")


CAPTURES = "SELECT origin FROM wallet_transfers WHERE kind = 'captura' AND env = 'live'"


MESSAGES = "SELECT *, metadata ->> 'number' AS number FROM messages"


@pytest.fixture(scope="session")
async def live_credential(machines: Machines, template: Credential) -> Credential:
    """A live customer with money, who is in every database that is copied from now on."""
    environment = _environment(machines, machines.postgres.address_of(TEMPLATE))
    owner = ("--org", template.organization_id, "--env", "live")
    key: dict[str, Any]
    key, _, _ = await asyncio.gather(
        _answer(["key", "create", *owner, "--scopes", "all"], environment),
        _answer(["wallet", "credit", *owner, "--coins", str(COINS)], environment),
        _answer(["limits", "set", *owner, "--sms-per-second", CEILING], environment),
    )
    return Credential(key["id"], key["key"], template.organization_id)


@pytest.fixture
async def live(live_credential: Credential, service: Service) -> AsyncIterator[LiveService]:
    """A gateway and a live customer; APIs and workers are started by the test."""
    async with a_gateway() as gateway:
        customer = Customer(service.http, "", credential=live_credential)
        yield LiveService(service, gateway, customer, await service.books())


@contextmanager
def an_address_that_lets_nobody_in() -> Iterator[str]:
    """A listening address whose queue is full: a connection to it is neither made nor refused."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(8):
            crowd = stack.enter_context(socket.socket())
            crowd.setblocking(False)
            with suppress(BlockingIOError):
                crowd.connect(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
