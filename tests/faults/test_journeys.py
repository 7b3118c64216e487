"""Workers killed, PostgreSQL restarted and Redis emptied while people are inside a journey: every step does
what it does once for each, and the counts are those of the trail.

DRILL_PEOPLE=100000 does the same for so many, with a kill every two seconds.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.support.books import Connection, check_wallets, no_transaction_is_left_open
from tests.support.customer import Answer, Customer
from tests.support.live_service import IMPATIENT
from tests.support.processes import Process
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

PEOPLE = int(os.environ.get("DRILL_PEOPLE", "300"))
IS_LARGE = PEOPLE > 1_000
PATIENCE = 60 + PEOPLE / 20
"""Seconds until all are through."""
WORKERS = 6 if IS_LARGE else 3
"""One that is killed takes some seconds to be replaced: meanwhile there are others to kill."""
DEATHS = 6
"""At least."""
EVERY = 2.0 if IS_LARGE else 0.2
"""Seconds from one kill to the next, as long as there is a worker to kill and somebody was moved."""
AT_ONCE = 1_000
"""People whom one request may put in."""
BUYERS = 15
"""People who buy something, again and again."""
SMS_PRICE = 800
MOMENT = 0.0003
"""Hours that a person waits: about a second."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300 + 2 * PATIENCE)]
CHANCE = Random(24)


async def test_whatever_moment_workers_are_killed_at_each_step_of_a_journey_happens_once(
    service: Service, receiver: Receiver, record_testsuite_property: Callable[[str, object], None]
) -> None:
    running = await service.up(workers=0)
    customer = running.customer
    books = await service.books()
    people = await some_people(service, books, customer)
    journey = await a_journey_of_every_kind(customer, receiver)
    workers = Workers(service)
    await workers.up()

    await enter(customer, journey, people[: PEOPLE // 2])
    async with asyncio.TaskGroup() as beside:
        buyers = beside.create_task(keep_buying(customer, people))
        now = asyncio.get_running_loop().time
        started = tick = now()
        while workers.killed < DEATHS or not await all_have_ended(books):
            before = await changes(books)
            await eventually(lambda: moved_since(books, before), "somebody is moved")  # noqa: B023
            tick = max(tick + EVERY, now())
            await asyncio.sleep(tick - now() + CHANCE.uniform(0, EVERY / 2))  # anywhere in its work
            await workers.kill_one()
            match workers.killed:
                case 2:
                    beside.create_task(enter(customer, journey, people[PEOPLE // 2 :]))
                case 3:
                    await service.redis.flushall()
                case 4 | 6:
                    await workers.all_have_started()
                    await asyncio.to_thread(service.machines.postgres.restart, "fast")
                    books = await service.books()
        seconds = now() - started
        buyers.cancel()

    await workers.all_have_started()
    await eventually(
        lambda: all_are_through(books), "all are through", within=PATIENCE, every=EVERY
    )
    record_testsuite_property("seconds from kill to kill", seconds / workers.killed)
    record_testsuite_property("killed", workers.killed)
    await check_effects(books, receiver)
    await check_counts(books, await read(customer, journey))
    await check_wallets(books)
    await no_transaction_is_left_open(books)


class Workers:
    """Workers that are killed, and others that start in their place."""

    def __init__(self, service: Service) -> None:
        self.killed = 0
        self._service = service
        self._running: list[Process] = []
        self._starting: set[asyncio.Task[None]] = set()

    async def up(self) -> None:
        """Start all of them."""
        for _ in range(WORKERS):
            self._replace()
        await self.all_have_started()

    async def all_have_started(self) -> None:
        """Wait until none is about to start any more."""
        await asyncio.gather(*self._starting)

    async def kill_one(self) -> None:
        """Kill the one that has worked the longest, once there is one."""
        while not self._running:
            done, _ = await asyncio.wait(self._starting, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        await self._running.pop(0).kill()
        self.killed += 1
        self._replace()

    def _replace(self) -> None:
        self._starting.add(asyncio.create_task(self._start()))

    async def _start(self) -> None:
        self._running.append(await self._service.worker(script=IMPATIENT))
        self._starting.discard(asyncio.current_task())


async def some_people(service: Service, books: Connection, customer: Customer) -> list[str]:
    """Contacts whose messages arrive, and the money for all of them; their ids."""
    owner = (customer.credential.organization_id, "test")
    coins = str(PEOPLE * SMS_PRICE)
    await service.svc("wallet", "credit", "--org", owner[0], "--env", owner[1], "--coins", coins)
    rows = await books.fetch(PERSONS, *owner, PEOPLE)
    return [row["id"] for row in rows]


async def a_journey_of_every_kind(customer: Customer, receiver: Receiver) -> str:
    """An active journey with a step of every kind, whose waits are over at once; its id."""
    pipeline = await made(customer, "/pipelines", {"nome": "Funil"})
    first, second = (stage["id"] for stage in pipeline["etapas"][:2])
    card = {"pipelineId": pipeline["id"]}
    tagged = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "new"}}
    halves = [{"percentual": 50, "proximo": "card"}, {"percentual": 50, "proximo": "asks"}]
    steps: list[dict[str, Any]] = [
        {"id": "tag", "tipo": "atualizarContato", "config": {"tags": ["new"]}, "proximo": "wait"},
        {"id": "wait", "tipo": "espera", "config": {"duracaoHoras": MOMENT}, "proximo": "halves"},
        {"id": "halves", "tipo": "divisao", "config": {"ramos": halves}},
        {"id": "card", "tipo": "cardCriar", "config": {**card, "etapaId": first}, "proximo": "on"},
        {"id": "on", "tipo": "cardMover", "config": {**card, "etapaId": second}, "proximo": "asks"},
        {"id": "asks", "tipo": "condicao", "config": {"filterTree": tagged, "seSim": "hello"}},
        {
            "id": "hello",
            "tipo": "mensagem",
            "config": {"canal": "sms", "texto": "Olá"},
            "proximo": "call",
        },
        {
            "id": "call",
            "tipo": "webhook",
            "config": {"url": receiver.url, "seOk": "buys", "seFalhar": "end"},
        },
        {
            "id": "buys",
            "tipo": "aguardarEvento",
            "config": {
                "evento": "purchase",
                "prazoHoras": MOMENT,
                "seOcorrer": "end",
                "seExpirar": "end",
            },
        },
        {"id": "end", "tipo": "saida", "config": {"motivo": "through"}},
    ]
    new = {"name": "Every kind", "gatilho": {"nome": "signup"}, "entradaPasso": "tag"}
    id = (await made(customer, "/v2/journeys", {**new, "passos": steps}))["id"]
    await made(customer, f"/v2/journeys/{id}/ativar", {})
    return str(id)


async def enter(customer: Customer, journey: str, people: list[str]) -> None:
    """Put people in by hand."""
    for first in range(0, len(people), AT_ONCE):
        some = people[first : first + AT_ONCE]
        await made(customer, f"/v2/journeys/{journey}/entradas", {"contactIds": some})


async def keep_buying(customer: Customer, people: list[str]) -> None:
    """Some buy at once, and then others, until it is canceled."""
    while True:
        await asyncio.gather(*(buys(customer, one) for one in CHANCE.sample(people, BUYERS)))
        await asyncio.sleep(EVERY)


async def buys(customer: Customer, person: str) -> None:
    """A purchase, which some wait for."""
    event = {"name": "purchase", "contact": {"contactId": person}, "eventId": f"p-{person}"}
    await made(customer, "/v2/events", event)


async def made(customer: Customer, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What a request that succeeds is answered; one that meets the restart is sent again."""
    answers: list[Answer] = []

    async def taken() -> bool:
        try:
            answers.append(await customer.call("POST", path, body))
        except TimeoutError:  # nobody is asked twice with one body
            return False
        return answers[-1].status != 503

    await eventually(taken, "the request is taken", within=PATIENCE, every=0.1)
    answer = answers[-1]
    assert answer.status < 300, answer
    record: dict[str, Any] = answer.body
    return record


async def read(customer: Customer, journey: str) -> dict[str, Any]:
    """The journey, as its page shows it."""
    record: dict[str, Any] = (await customer.call("GET", f"/v2/journeys/{journey}")).body
    return record


async def changes(books: Connection) -> int:
    """A number that grows with whatever is counted of a journey."""
    return int(await books.fetchval("SELECT coalesce(max(id), 0) FROM journey_step_counts"))


async def moved_since(books: Connection, before: int) -> bool:
    """Whether somebody was moved since, or all are through."""
    moved = await books.fetchval(MOVED, before)
    return bool(moved) or await all_have_ended(books)


async def all_have_ended(books: Connection) -> bool:
    """Whether everybody came in and nobody is inside any more."""
    return not await books.fetchval(INSIDE, PEOPLE)


async def all_are_through(books: Connection) -> bool:
    """Whether nobody is inside, and nothing that they were sent or that was called is open."""
    left = await books.fetchval(LEFT, PEOPLE)
    return not left


async def check_effects(books: Connection, receiver: Receiver) -> None:
    """Each run has one message, one delivery and at most one card of each step, and there are no others."""
    runs = {row["id"]: row for row in await books.fetch("SELECT * FROM journey_runs")}
    assert {(row["state"], row["end_reason"]) for row in runs.values()} == {(2, "through")}
    assert len(runs) == PEOPLE
    messages = await books.fetch("SELECT * FROM messages")
    assert Counter(row["journey_run"] for row in messages) == Counter(list(runs))
    assert {row["status"] for row in messages} == {"delivered"}
    booked = Counter((row["origin"], row["kind"]) for row in await books.fetch(CHARGES))
    assert booked == Counter(
        (row["id"], kind) for row in messages for kind in ("reserva", "captura")
    )
    called = await books.fetch(CALLED)
    assert Counter(row["contact"] for row in called) == Counter(
        row["contact_id"] for row in runs.values()
    )
    assert {row["id"] for row in called} == {one["id"] for one in receiver.events("journey.called")}
    carded = {row["run_id"] for row in await books.fetch(PASSED, "cardCriar")}
    assert 0 < len(carded) < PEOPLE
    cards = Counter(row["contact_id"] for row in await books.fetch("SELECT contact_id FROM cards"))
    assert cards == Counter(runs[id]["contact_id"] for id in carded)
    tags = await books.fetch("SELECT tags FROM contacts")
    assert [list(row["tags"]) for row in tags] == [["new"]] * PEOPLE


async def check_counts(books: Connection, journey: dict[str, Any]) -> None:
    """What the page says is what a recount of the trail finds, in which each move stands once."""
    trail = await books.fetch(TRAIL)
    assert len({(row["run_id"], row["seq"]) for row in trail}) == len(trail)
    left = Counter(row["id"] for row in trail)
    for step in journey["passos"]:
        metrics = journey["metricasPorPasso"][step["id"]]
        assert metrics["concluiram"] == metrics["entraram"] == left[step["id"]], step["id"]
        assert (metrics["aguardando"], metrics["erros"], metrics["pulados"]) == (0, 0, {})
    through = {"ativa": 0, "concluida": PEOPLE, "cancelada": 0, "erro": 0}
    assert journey["execucoes"] == through


# Ten thousand of each area: the last digits say what becomes of a message.
PERSONS = """
INSERT INTO contacts (id, organization_id, env, identity, phone, name, tags, opt_in_status, created_at, updated_at)
SELECT 'cnt_' || lpad(n::text, 21, '0'), $1, $2, sha256(n::text::bytea),
       '+55' || (ARRAY[11, 21, 31, 41, 51, 61, 71, 81, 85, 91, 19])[1 + n / 10000] || '9' || lpad((n % 10000)::text, 4, '0') || '0005',
       'Person ' || n, '{}', 'unknown', now(), now()
FROM generate_series(0, $3::int - 1) AS n RETURNING id
"""

MOVED = "SELECT true FROM journey_step_counts WHERE id > $1 AND step >= 0 AND kind = 2 LIMIT 1"

INSIDE = "SELECT $1 - count(*) FROM journey_runs WHERE state <> 1"

LEFT = f"""
SELECT ({INSIDE}) +
       (SELECT count(*) FROM messages WHERE status <> 'delivered') + (SELECT count(*) FROM waiting_messages) +
       (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL)
"""

CHARGES = (
    "SELECT origin, kind FROM wallet_transfers WHERE kind IN ('reserva', 'captura', 'liberacao')"
)

CALLED = """
SELECT e.id, e.data ->> 'contactId' AS contact FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
WHERE e.type = 'journey.called'
"""

TRAIL = """
SELECT t.run_id, t.seq, p.step ->> 'id' AS id, p.step ->> 'tipo' AS kind FROM journey_trail t
JOIN journey_runs r ON r.id = t.run_id
CROSS JOIN LATERAL (SELECT (j.program -> 'steps' -> t.step::int) AS step FROM journeys j WHERE j.id = r.version_id) AS p
"""

PASSED = f"SELECT run_id FROM ({TRAIL}) AS t WHERE kind = $1"
