"""Single sends of a small customer beside the floods of a large one, against the same sends while
all is quiet.

Each flood comes behind a quiet stretch of its own. The API (and, for webhooks, a worker) has one
core; PostgreSQL, the clients that flood and the client that measures share the other.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, cast

import orjson

from bench.graphql_page import FILL_MESSAGES
from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.http import content_length
from bench.kit.organizations import Customer, some_customers
from bench.kit.paced import milliseconds, paced
from bench.kit.program import Program
from bench.kit.report import Goal, Report, Row
from bench.kit.sends import sends
from bench.webhook_delivery import FILL_DELIVERIES, FILL_EVENTS
from core import numbers, organizations, templates, webhooks
from core.foundation.database import db
from core.foundation.security.caller import system_caller

CONTACTS = 100_000
MESSAGES = 300_000
WEBHOOKS = 100_000
EVENTS = 1_000
"""What the webhooks are about."""

PER_SECOND = 40
"""Sends of the small customer."""
LONGER = 4
"""Times the length of other rounds: a hundredth of the sends of a round is to be more than one."""
WARM_UP_SECONDS = 1.0
CREATED = 201
TIMES_QUIET = 3

TO_EXPORT = """
UPDATE messages SET channel = 'whatsapp', type = 'text', content = '{"text": "Seu pedido saiu"}'
WHERE organization_id = $1 AND right(id, 1) = '7'
"""
"""A tenth of the messages are such as exports are of."""

REQUESTS = (
    "sends",
    "bulk",
    "imports",
    "refused_imports",
    "dashboards",
    "exports",
    "previews",
    "subscribers",
)
"""Floods that are clients of the API."""
HANGING_HOST = "webhooks to a hanging host"


@dataclass(slots=True)
class Stretch:
    """Seconds of sends, and what kept the cores busy meanwhile, as a part of one core."""

    latencies: list[float] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)
    webhooks: list[float] = field(default_factory=list)
    """How long after the event the small customer's webhook was told, in seconds."""
    api: float = 0.0
    database: float = 0.0
    flood: float = 0.0
    per_second: float = 0.0
    """What came of the flood: requests, or messages told to sockets."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Who takes part."""

    house: House
    small: Customer
    large: Customer
    number_id: str
    template_id: str


async def measure(house: House) -> Report:
    """Every flood behind a quiet stretch, in turn."""
    async with house.database():
        stage = await _stage(house)
        found: dict[str, tuple[list[Stretch], list[Stretch]]] = {}
        rounds = max(1, house.effort.rounds // 2)
        # The hanging host first: only there does a worker run, which would go on with what other
        # floods leave behind.
        for name in (HANGING_HOST, *REQUESTS):
            found[name] = ([], [])
            for number in range(1, rounds + 1):
                house.say(f"{name}, {number} of {rounds}")
                comparison = _hanging_host if name == HANGING_HOST else _requests
                for kept, new in zip(found[name], await comparison(stage, name), strict=True):
                    kept.append(new)
    return _report(found)


async def _stage(house: House) -> Stage:
    small, large = await some_customers(2)
    house.say(f"writing {CONTACTS:,} contacts and {MESSAGES:,} messages of the large customer")
    await fill_contacts(large.organization_id, CONTACTS)
    await db.execute(FILL_MESSAGES, large.organization_id, MESSAGES, CONTACTS)
    await db.execute(TO_EXPORT, large.organization_id)
    await db.execute("VACUUM ANALYZE messages")
    caller = system_caller(large.organization_id, "test")
    number = await numbers.create_number(
        caller, numbers.NewNumber(phone="+5511990000001", name="Loja")
    )
    text = {"text": "Olá {{1}}, hoje tem desconto.", "example": ["Ana"]}
    new = {
        "numberId": number["id"],
        "name": "oferta",
        "language": "pt-BR",
        "category": "marketing",
        "components": [{"type": "BODY", "payload": text}],
    }
    template = await templates.create_template(caller, templates.NewTemplate.model_validate(new))
    await db.execute("UPDATE templates SET status = 'approved' WHERE id = $1", template["id"])
    return Stage(house, small, large, number["id"], template["id"])


async def _requests(stage: Stage, kind: str) -> tuple[Stretch, Stretch]:
    aim = {"key": stage.large.key, "number_id": stage.number_id, "template_id": stage.template_id}
    with stage.house.api() as api:
        api.wait_until_ready()
        await _stretch(stage, api, seconds=WARM_UP_SECONDS)
        quiet = await _stretch(stage, api)
        with stage.house.flood(kind, port=api.port, **aim) as flood:
            await flood.says("flooding")
            flooded = await _stretch(stage, api, flood)
            flood.check(math.inf)
    if done := flood.said("flooded"):
        flooded.per_second = done["done"] / done["seconds"]
    return quiet, flooded


_run = count()


async def _stretch(
    stage: Stage,
    api: Program,
    flood: Program | None = None,
    *,
    seconds: float | None = None,
    host: "SharedHost | None" = None,
) -> Stretch:
    length = seconds or stage.house.effort.seconds * LONGER
    started, before = time.perf_counter(), _cpu(stage.house, api, flood)
    result = await paced(
        api.port,
        sends([stage.small], run=f"fairness {next(_run)}"),
        per_second=PER_SECOND,
        seconds=length,
        status=CREATED,
        answered=host.answered if host else lambda _: None,
    )
    took = time.perf_counter() - started
    server, database, clients = (
        (now - then) / took for now, then in zip(_cpu(stage.house, api, flood), before, strict=True)
    )
    return Stretch(result.latencies, result.lateness, api=server, database=database, flood=clients)


def _cpu(house: House, api: Program, flood: Program | None) -> tuple[float, float, float]:
    return api.cpu_seconds, house.database_cpu_seconds(), flood.cpu_seconds if flood else 0.0


# A host that hangs for one customer and answers another ------------------------------------------


async def _hanging_host(stage: Stage, _: str) -> tuple[Stretch, Stretch]:
    """Both subscriptions are of addresses at one host: the large customer's hangs, the small one's
    answers.
    """
    await db.execute(
        "TRUNCATE webhook_subscriptions, webhook_events, webhook_deliveries, webhook_attempts"
    )
    async with _shared_host() as host:
        await _subscribe(stage.small, f"{host.url}/answers")
        with stage.house.api() as api, stage.house.worker() as worker:
            api.wait_until_ready()
            await worker.says("worker_started")
            await _stretch(stage, api, seconds=WARM_UP_SECONDS, host=host)
            quiet = await _told(host, _stretch(stage, api, host=host))
            hanging = await _subscribe(stage.large, f"{host.url}/hangs")
            await db.execute(FILL_EVENTS, stage.large.organization_id, EVENTS)
            await db.execute(
                FILL_DELIVERIES, stage.large.organization_id, [hanging], WEBHOOKS, EVENTS, 60
            )
            await db.execute("VACUUM ANALYZE webhook_deliveries")
            await host.hangs.wait()
            flooded = await _told(host, _stretch(stage, api, host=host))
    return quiet, flooded


async def _told(host: "SharedHost", stretch: Any) -> Stretch:
    host.forget()
    measured: Stretch = await stretch
    measured.webhooks = await host.delays(within=30.0)
    return measured


async def _subscribe(customer: Customer, url: str) -> str:
    new = webhooks.NewSubscription(url=url, events=[webhooks.EventType.SMS_DELIVERED])
    made = await organizations.subscribe(system_caller(customer.organization_id, "test"), new)
    id: str = made["webhook"]["id"]
    # It has answered before: what has never answered gets a hundred attempts an hour.
    await db.execute("UPDATE webhook_subscriptions SET confirmed_at = now() WHERE id = $1", id)
    return id


class SharedHost:
    """A host with an address that answers and another that does not; it knows how late each message
    was told.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.hangs = asyncio.Event()
        self._sent: list[str] = []
        self._delays: dict[str, float] = {}
        self._heard = asyncio.Event()

    def forget(self) -> None:
        """Begin anew."""
        self._sent.clear()
        self._delays.clear()

    def answered(self, body: bytes) -> None:
        """A send was answered."""
        self._sent.append(orjson.loads(body)["id"])

    def told(self, body: bytes) -> None:
        """A webhook came."""
        event = orjson.loads(body)
        late = (datetime.now(UTC) - datetime.fromisoformat(event["timestamp"])).total_seconds()
        self._delays.setdefault(event["data"]["id"], late)
        self._heard.set()

    async def delays(self, *, within: float) -> list[float]:
        """Seconds from each event to its webhook; what has not come by then counts as that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while not self._delays.keys() >= set(self._sent):
                    self._heard.clear()
                    await self._heard.wait()
        return [self._delays.get(id, within) for id in self._sent]


@asynccontextmanager
async def _shared_host() -> AsyncIterator[SharedHost]:
    loop = asyncio.get_running_loop()
    host: list[SharedHost] = []
    server = await loop.create_server(lambda: _Receiving(host[0]), "127.0.0.1", 0)
    host.append(SharedHost(server.sockets[0].getsockname()[1]))
    try:
        yield host[0]
    finally:
        server.close()


class _Receiving(asyncio.Protocol):
    def __init__(self, host: SharedHost) -> None:
        self._host = host
        self._transport: asyncio.Transport | None = None
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        received = self._received + data
        head = received.find(b"\r\n\r\n")
        if head < 0 or len(received) < (whole := head + 4 + content_length(received[:head])):
            self._received = received
            return
        self._received = b""
        if received.startswith(b"POST /hangs"):
            self._host.hangs.set()
            return
        self._host.told(received[head + 4 : whole])
        assert self._transport is not None
        self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


# What was found ----------------------------------------------------------------------------------


def _report(found: dict[str, tuple[list[Stretch], list[Stretch]]]) -> Report:
    rows, goals = [], []
    for name, (quiet, flooded) in found.items():
        rows += [_row(f"quiet, before {name}", quiet), _row(name, flooded)]
        goals.append(
            Goal(
                f"{name}: p99 of a send against quiet",
                _times(quiet, flooded),
                "at most",
                TIMES_QUIET,
            )
        )
    return Report(
        "fairness",
        rows=rows,
        goals=goals,
        notes=[
            f"{PER_SECOND} single sends a second of a small customer; floods are those of one large customer",
            "the API has a core; PostgreSQL, the flood's clients and this client share the other",
            "late: how late this client was by itself, which is part of its times; cores: of a second of one core",
            "answers: of the flood, a second",
            "webhook: from an event to its webhook at the host that hangs for the large one",
        ],
    )


def _row(name: str, stretches: list[Stretch]) -> Row:
    latencies = _all(stretches, "latencies")
    values = {"p50 ms": milliseconds(latencies, 50), "p99 ms": milliseconds(latencies, 99)}
    values["late p99 ms"] = milliseconds(_all(stretches, "lateness"), 99)
    for title, attribute in (("API", "api"), ("PostgreSQL", "database"), ("flood", "flood")):
        values[f"{title} cores"] = sum(getattr(one, attribute) for one in stretches) / len(
            stretches
        )
    if rate := sum(one.per_second for one in stretches) / len(stretches):
        values["answers"] = rate
    if told := _all(stretches, "webhooks"):
        values |= {
            "webhook p50 ms": milliseconds(told, 50),
            "webhook p99 ms": milliseconds(told, 99),
        }
    return Row(name, values)


def _times(quiet: list[Stretch], flooded: list[Stretch]) -> float:
    return milliseconds(_all(flooded, "latencies"), 99) / milliseconds(_all(quiet, "latencies"), 99)


def _all(stretches: list[Stretch], attribute: str) -> list[float]:
    return [value for one in stretches for value in getattr(one, attribute)]
