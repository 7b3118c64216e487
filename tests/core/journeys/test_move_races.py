"""Movers beside each other, beside those who record events, and cut off in the middle."""

import asyncio
import os
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import journeys
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.journeys.runs import audience, move
from core.journeys.runs.batch import RunBatch, StepOutcome
from core.journeys.runs.kinds import KINDS, await_event
from core.journeys.runs.program import Program
from tests.factories.journeys import a_running_journey
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline
from tests.factories.stored_contacts import stored_contacts
from tests.support.journeying import let_in, recount, standing
from tests.support.races import outside
from tests.support.waiting import eventually

PAIRS = int(os.environ.get("DRILL_PAIRS", "400"))
"""Events that are committed in the moment in which their contact comes to wait for them."""

pytestmark = [pytest.mark.usefixtures("real_commits"), pytest.mark.timeout(300 + PAIRS / 20)]

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def awaiting(caller: Caller) -> Program:
    """A journey whose runs wait for a purchase."""
    wait = {"evento": "compra", "prazoHoras": 24, "seOcorrer": "sim", "seExpirar": "nao"}
    steps = [
        {"id": "w", "tipo": "aguardarEvento", "config": wait},
        {"id": "sim", "tipo": "espera", "config": {"duracaoHoras": 100}},
        {"id": "nao", "tipo": "espera", "config": {"duracaoHoras": 100}},
    ]
    program = await a_running_journey(caller, passos=steps, entradaPasso="w")
    await db.execute(WATCH, caller.organization_id, caller.env, program.version_id, AT)
    return program


async def buys(caller: Caller, contact: str) -> None:
    """A purchase is recorded."""
    await db.execute(RECORD, new_id("cev"), caller.organization_id, caller.env, contact, AT)


async def test_an_event_committed_while_a_run_comes_to_wait_is_seen_by_one_of_the_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    program = await awaiting(caller)
    (contact,) = await stored_contacts(caller, [{}])
    await let_in(program, [contact], at=AT)
    looked, goes_on = asyncio.Event(), asyncio.Event()

    async def slowly(batch: RunBatch) -> list[StepOutcome]:
        outcomes = await await_event.run(batch)
        looked.set()
        await goes_on.wait()
        return outcomes

    monkeypatch.setitem(KINDS, "aguardarEvento", slowly)
    monkeypatch.setattr(audience, "LOOKS", 2)
    mover = outside(journeys.move_due(at=AT))
    await looked.wait()
    await buys(caller, contact)
    consumer = journeys.AudienceWatcher()

    assert await consumer.take(at=AT) == 0, "the mover is still open"

    goes_on.set()
    assert await mover == 1
    assert await standing(program) == {contact: "w"}
    monkeypatch.setattr(audience, "LOOKS", 200)
    assert await consumer.take(at=AT) == 1
    assert await journeys.move_due(at=AT) == 1
    assert await standing(program) == {contact: "sim"}
    await recount(program)


async def test_events_in_the_very_moment_of_coming_to_wait_are_neither_missed_nor_seen_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    program = await awaiting(caller)
    ids = await stored_contacts(caller, [{}] * PAIRS)
    monkeypatch.setattr(move, "BATCH_SIZE", 7)
    monkeypatch.setattr(audience, "BATCH_SIZE", 11)
    ended = asyncio.Event()

    async def every(work: Any) -> None:
        while not ended.is_set():
            if not await work(at=AT):
                await asyncio.sleep(0)

    loops = [
        outside(every(work))
        for work in (
            journeys.move_due,
            journeys.move_due,
            *(journeys.AudienceWatcher().take for _ in "ab"),
        )
    ]

    async def record(some: list[str]) -> None:
        for id in some:
            await buys(caller, id)

    for first in range(0, PAIRS, 40):
        some = ids[first : first + 40]
        entering = outside(let_in(program, some, at=AT))
        random.Random(first).shuffle(some)
        await asyncio.gather(entering, *(outside(record(some[part::3])) for part in range(3)))

    place = {step.id: step.place for step in program.steps}["sim"]

    async def all_went_on() -> bool:
        gone: int = await db.fetchval(GONE_ON, program.version_id, place)
        return gone == PAIRS

    await eventually(all_went_on, "everybody's event was seen", within=60 + PAIRS / 100, every=0.2)
    ended.set()
    await asyncio.gather(*loops)

    assert set((await standing(program)).values()) == {"sim"}
    assert await db.fetchval("SELECT count(*) FROM audience_changes") == 0
    await recount(program)


async def test_movers_that_are_cut_off_in_the_middle_do_everything_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    pipeline = await a_pipeline(caller)
    tree = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "novo"}}
    steps: list[dict[str, Any]] = [
        {"id": "t", "tipo": "atualizarContato", "config": {"tags": ["novo"]}, "proximo": "p"},
        {"id": "p", "tipo": "espera", "config": {"duracaoHoras": 1}, "proximo": "d"},
        {"id": "d", "tipo": "divisao", "config": {"ramos": [
            {"percentual": 50, "proximo": "c"}, {"percentual": 50, "proximo": "q"},
        ]}},
        {"id": "c", "tipo": "cardCriar", "config": {"pipelineId": pipeline["id"]}, "proximo": "q"},
        {"id": "q", "tipo": "condicao", "config": {"filterTree": tree, "seSim": "f"}},
        {"id": "f", "tipo": "espera", "config": {"duracaoHoras": 1}},
    ]  # fmt: skip
    program = await a_running_journey(caller, passos=steps, entradaPasso="t")
    ids = await stored_contacts(caller, [{}] * 150)
    monkeypatch.setattr(move, "BATCH_SIZE", 20)
    await let_in(program, ids, at=AT)
    drawn = random.Random(2)
    for hour in (0, 1, 2):
        at = AT + hour * HOUR
        for _ in range(25):
            movers = [outside(journeys.move_due(at=at)) for _ in range(3)]
            await asyncio.sleep(drawn.random() * 0.04)
            for mover in movers:
                mover.cancel()
            await asyncio.gather(*movers, return_exceptions=True)
        while await journeys.move_due(at=at):
            pass

    assert set((await standing(program)).values()) == {(2, "fim")}
    await recount(program)
    made = await db.fetch("SELECT contact_id, count(*) AS cards FROM cards GROUP BY 1")
    effects = await db.fetchval("SELECT count(DISTINCT run_id) FROM journey_effects")
    assert 50 < len(made) == effects < 100
    assert {row["cards"] for row in made} == {1}


WATCH = """
INSERT INTO journey_watches (organization_id, env, version_id, kind, ref, created_at)
VALUES ($1, $2, $3, 'event', 'compra', $4)
"""
RECORD = """
INSERT INTO customer_events (id, organization_id, env, name, event_id, contact_id, occurred_at, created_at)
VALUES ($1, $2, $3, 'compra', $1, $4, $5, $5)
"""
GONE_ON = "SELECT count(*) FROM journey_runs WHERE version_id = $1 AND step = $2"
