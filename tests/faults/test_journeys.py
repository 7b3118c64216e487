"""Workers killed, PostgreSQL restarted and Redis emptied while people are inside a journey: every step does
what it does once for each, and the counts are those of the trail.
"""

import asyncio
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.support.books import Connection, check_wallets, no_transaction_is_left_open
from tests.support.customer import Answer, Customer
from tests.support.live_service import IMPATIENT
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

PEOPLE = 300
WORKERS = 3
DEATHS = 6
MOMENT = 0.0003
"""Hours that a person waits: about a second."""
CHANCE = Random(24)


async def test_whatever_moment_workers_are_killed_at_each_step_of_a_journey_happens_once(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(workers=0)
    customer = running.customer
    people = await asyncio.gather(*(a_person(customer, number) for number in range(PEOPLE)))
    journey = await a_journey_of_every_kind(customer, receiver)
    workers = list(
        await asyncio.gather(*(service.worker(script=IMPATIENT) for _ in range(WORKERS)))
    )
    books = await service.books()

    await enter(customer, journey, people[: PEOPLE // 2])
    for death in range(DEATHS):
        before = await moves(books)
        await eventually(lambda: moved_since(books, before), "somebody is moved")  # noqa: B023
        await asyncio.sleep(CHANCE.uniform(0, 0.2))  # anywhere in its work
        await workers.pop(0).kill()
        match death:
            case 1:
                await enter(customer, journey, people[PEOPLE // 2 :])
            case 2:
                await service.redis.flushall()
            case 3:
                await asyncio.to_thread(service.machines.postgres.restart, "fast")
                books = await service.books()
        workers.append(await service.worker(script=IMPATIENT))
        await asyncio.gather(*(buys(customer, person) for person in people[death::20]))

    await eventually(lambda: all_are_through(books), "all are through", within=60, every=0.2)
    await check_effects(books, receiver)
    await check_counts(books, await read(customer, journey))
    await check_wallets(books)
    await no_transaction_is_left_open(books)


async def a_person(customer: Customer, number: int) -> str:
    """A contact whose messages arrive; its id."""
    body = {"phone": f"+55119{number:04}0005", "name": f"Person {number}"}
    return str((await made(customer, "/contacts", body))["id"])


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
    await made(customer, f"/v2/journeys/{journey}/entradas", {"contactIds": people})


async def buys(customer: Customer, person: str) -> None:
    """A purchase, which some wait for."""
    event = {"name": "purchase", "contact": {"contactId": person}, "eventId": f"p-{person}"}
    await made(customer, "/v2/events", event)


async def made(customer: Customer, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What a request that succeeds is answered; one that meets the restart is sent again."""
    answers: list[Answer] = []

    async def taken() -> bool:
        answers.append(await customer.call("POST", path, body))
        return answers[-1].status != 503

    await eventually(taken, "the request is taken", every=0.1)
    answer = answers[-1]
    assert answer.status < 300, answer
    record: dict[str, Any] = answer.body
    return record


async def read(customer: Customer, journey: str) -> dict[str, Any]:
    """The journey, as its page shows it."""
    record: dict[str, Any] = (await customer.call("GET", f"/v2/journeys/{journey}")).body
    return record


async def moves(books: Connection) -> int:
    """How many moves there were."""
    return int(await books.fetchval("SELECT count(*) FROM journey_trail"))


async def moved_since(books: Connection, before: int) -> bool:
    """Whether there were any since, or all are through."""
    return await moves(books) > before or await all_are_through(books)


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


LEFT = """
SELECT ($1 - (SELECT count(*) FROM journey_runs WHERE state <> 1)) +
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
