"""Journeys: letting contacts in, moving them from wait to wait and over a condition, and what a worker does while
nobody is due.

Each beside its floor in the same run: the bare statement that puts down the same rows, in batches of the
same size, in turns. A herd that is due in one second is moved beside single sends of somebody else.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.paced import milliseconds, paced
from bench.kit.report import Goal, Report, Row
from bench.kit.sends import sends
from core.foundation.database import db
from core.foundation.ids import new_id
from core.journeys import AudienceWatcher, compare_due, move_due, take_entries
from core.journeys.models import Journey, JourneyStatus
from core.journeys.runs.enrol import enrol
from core.journeys.runs.move import BATCH_SIZE, move_step
from core.journeys.runs.program import Program, compile_program, load_program

AT = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
TURN = 10
"""Batches that one of the two moves before the other has its turn."""
LOOKS = 200
LOOKS_A_SECOND = {"move_due": 5.0, "take": 5.0, "take_entries": 2.0, "compare_due": 0.5}
"""How often a worker's loops of journeys look while nothing wakes them."""
HERD = 100_000
"""People who are due in one second."""
PER_SECOND = 40
"""Single sends meanwhile."""
QUIET_SECONDS, CREATED = 8.0, 201

VIPS = {
    "kind": "and",
    "children": [
        {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}},
        {"kind": "leaf", "filter": {"field": "attribute.score", "operator": "gte", "value": 50}},
    ],
}
STEPS: list[dict[str, Any]] = [
    {"id": "a", "tipo": "espera", "config": {"duracaoHoras": 1}, "proximo": "b"},
    {"id": "b", "tipo": "espera", "config": {"duracaoHoras": 1}, "proximo": "c"},
    {"id": "c", "tipo": "condicao", "config": {"filterTree": VIPS, "seSim": "d", "seNao": "e"}},
    {"id": "d", "tipo": "espera", "config": {"duracaoHoras": 1}},
    {"id": "e", "tipo": "espera", "config": {"duracaoHoras": 1}},
]

Mover = Callable[[], Awaitable[int]]


async def measure(house: House) -> Report:
    """All of it over one base of contacts."""
    async with house.database():
        customer, other = await some_customers(2)
        number = house.effort.messages
        house.say(f"writing {number:,} contacts")
        await fill_contacts(customer.organization_id, number)
        program = await _program(customer.organization_id)
        house.say(f"letting {number:,} contacts in")
        entries = await _let_in(program, number)
        place = {step.id: step.place for step in program.steps}
        await _all(lambda: move_step(program.version_id, 0, at=AT))
        await db.execute("VACUUM ANALYZE journey_runs")
        look, idle = await _look(move_due), await _idle()
        house.say("from wait to wait")
        waits = await _in_turns(
            lambda: _bare(program, place["a"], place["b"], AT + HOUR),
            lambda: move_step(program.version_id, place["a"], at=AT + HOUR),
        )
        await db.execute("VACUUM ANALYZE journey_runs")
        house.say("over a condition")
        later = AT + 2 * HOUR
        conditions = await _in_turns(
            lambda: _bare_condition(program, place, later),
            lambda: move_step(program.version_id, place["b"], at=later),
        )
        house.say("a herd beside single sends")
        herd = await _herd(house, customer, other, min(number, HERD))
    return _report(number, entries, (look, idle, herd), waits, conditions)


async def _program(organization_id: str) -> Program:
    id = new_id("jor")
    await Journey.create(
        id=id,
        organization_id=organization_id,
        env="test",
        name="Bench",
        status=JourneyStatus.ACTIVE,
        trigger={"nome": "x"},
        reentry="nunca",
        steps=STEPS,
        entry_step_id="a",
        lineage_id=id,
        program=compile_program(STEPS, "a"),
        created_at=AT,
        updated_at=AT,
    )
    return await load_program(id)


async def _let_in(program: Program, number: int) -> tuple[float, float]:
    """Contacts that came in per second, by us and by the bare statement, half of them each."""
    half = number // 2
    some = "SELECT id AS contact_id FROM contacts WHERE organization_id = $1 ORDER BY id"
    started = time.perf_counter()
    bare = await db.execute(BARE_ENTRY, program.organization_id, program.version_id, AT, half)
    middle = time.perf_counter()
    ours = await enrol(program, f"{some} OFFSET {half}", [program.organization_id], at=AT)
    ended = time.perf_counter()
    return ours / (ended - middle), bare / (middle - started)


async def _herd(
    house: House, customer: Customer, other: Customer, number: int
) -> tuple[int, float, float, float]:
    """How many were moved in how many seconds, and the p99 of another's sends in ms: quiet, and meanwhile."""
    await db.execute("UPDATE journey_runs SET due_at = NULL, state = 2 WHERE state = 1")
    program = await _program(customer.organization_id)
    some = f"SELECT id AS contact_id FROM contacts WHERE organization_id = $1 LIMIT {number}"
    await enrol(program, some, [customer.organization_id], at=AT)
    await db.execute("VACUUM ANALYZE journey_runs")

    async def p99(name: str, seconds: float) -> float:
        requests = sends([other], run=name)
        result = await paced(
            api.port, requests, per_second=PER_SECOND, seconds=seconds, status=CREATED
        )
        return milliseconds(result.latencies, 99)

    with house.api() as api:
        api.wait_until_ready()
        await p99("warm up", 1.0)
        quiet = await p99("quiet", QUIET_SECONDS)
        meanwhile = asyncio.ensure_future(p99("meanwhile", QUIET_SECONDS))
        started = time.perf_counter()
        moved = 0
        while taken := await move_due(at=AT):
            moved += taken
        took = time.perf_counter() - started
        return moved, took, quiet, await meanwhile


async def _idle() -> float:
    """The share of a second in which a worker and its PostgreSQL look after journeys while nobody is due: no more of a
    core than that.
    """
    looks = (move_due, AudienceWatcher().take, take_entries, compare_due)
    return sum([await _look(look) * LOOKS_A_SECOND[look.__name__] / 1000 for look in looks])


async def _look(look: Callable[..., Awaitable[int]]) -> float:
    """Milliseconds of a look that finds nothing."""
    times = []
    for _ in range(LOOKS):
        started = time.perf_counter()
        assert not await look(at=AT)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


async def _all(move: Mover) -> None:
    while await move():
        pass


async def _in_turns(bare: Mover, ours: Mover) -> tuple[float, float, float]:
    """Moves per second of both, and the share in the rounds' median."""
    rates: list[tuple[float, float]] = []
    while True:
        of_both = []
        for move in (bare, ours) if len(rates) % 2 else (ours, bare):
            started = time.perf_counter()
            moved = 0
            for _ in range(TURN):
                moved += await move()
            of_both.append(moved / (time.perf_counter() - started))
            if moved < TURN * BATCH_SIZE:
                return _medians(rates)
        rates.append((of_both[0], of_both[1]) if len(rates) % 2 else (of_both[1], of_both[0]))


def _medians(rates: list[tuple[float, float]]) -> tuple[float, float, float]:
    return (
        statistics.median(bare for bare, _ in rates),
        statistics.median(ours for _, ours in rates),
        statistics.median(ours / bare for bare, ours in rates),
    )


async def _bare(program: Program, step: int, to: int, at: datetime) -> int:
    return int(
        await db.fetchval(BARE_MOVE, program.version_id, step, at, BATCH_SIZE, to, at + HOUR)
    )


async def _bare_condition(program: Program, place: dict[str, int], at: datetime) -> int:
    values = (program.version_id, place["b"], at, BATCH_SIZE, at + HOUR)
    ways = (place["c"], place["d"], place["e"])
    return int(await db.fetchval(BARE_CONDITION, *values, *ways))


def _report(
    number: int,
    entries: tuple[float, float],
    looks_and_herd: tuple[float, float, tuple[int, float, float, float]],
    waits: tuple[float, float, float],
    conditions: tuple[float, float, float],
) -> Report:
    look, idle, (moved, took, quiet, meanwhile) = looks_and_herd
    entry, bare_entry = entries
    return Report(
        "journey_moves",
        rows=[
            Row(
                "letting in", {"per second": entry, "bare": bare_entry, "share": entry / bare_entry}
            ),
            *(
                Row(name, {"per second": ours, "bare": bare, "share": share})
                for name, (bare, ours, share) in (
                    ("wait to wait", waits),
                    ("over a condition", conditions),
                )
            ),
            Row("a look, nobody due", {"ms": look}),
            Row("all looks of a second", {"ms": idle * 1000}),
            Row("a herd due in one second", {"moved": moved, "seconds": took}),
            Row("p99 of single sends beside it", {"quiet ms": quiet, "ms": meanwhile}),
        ],
        goals=[
            Goal("entry: time of one INSERT", bare_entry / entry, "at most", 1.3),
            Goal("wait to wait: of the bare statement", waits[2], "at least", 0.8),
            Goal("wait to wait: moves per second", waits[1], "at least", 10_000),
            Goal("condition: of the bare statement", conditions[2], "at least", 0.8),
            Goal("a look when nobody is due, in ms", look, "at most", 0.5, 0.12),
            Goal("nobody due: share of a core", idle, "at most", 0.01),
            Goal("a herd of 100,000: seconds", took * HERD / moved, "at most", 15),
            Goal("p99 of a send beside it against quiet", meanwhile / quiet, "at most", 2),
        ],
        notes=[
            f"{number:,} runs of one version, one connection, batches of {BATCH_SIZE:,}",
            "each move with a row of the trail; the bare statement and ours in turns",
        ],
    )


BARE_ENTRY = """
INSERT INTO journey_runs (id, organization_id, env, version_id, lineage_id, contact_id, state, step, seq, due_at,
                          entered_at, step_at)
SELECT svc_run_id($3), organization_id, env, $2::text, $2::text, id, 1, 0, 1, $3, $3, $3
FROM contacts WHERE organization_id = $1 ORDER BY id LIMIT $4
ON CONFLICT DO NOTHING
"""

BARE_MOVE = """
WITH due AS MATERIALIZED (
    SELECT r.id FROM journey_runs r
    WHERE r.version_id = $1 AND r.step = $2 AND r.state = 1 AND r.due_at <= $3
    ORDER BY r.due_at LIMIT $4 FOR UPDATE SKIP LOCKED
), moved AS (
    UPDATE journey_runs r SET step = $5::smallint, seq = r.seq + 1, step_at = $3::timestamptz, due_at = $6::timestamptz,
        wait_since = r.step_at
    FROM due WHERE r.id = due.id RETURNING r.id, r.seq
), told AS (
    INSERT INTO journey_trail (run_id, seq, at, step, outcome)
    SELECT id, seq - 1, $3::timestamptz, $2::smallint, 2::smallint FROM moved
)
SELECT count(*) FROM moved
"""

BARE_CONDITION = """
WITH due AS MATERIALIZED (
    SELECT r.id, r.contact_id FROM journey_runs r
    WHERE r.version_id = $1 AND r.step = $2 AND r.state = 1 AND r.due_at <= $3
    ORDER BY r.due_at LIMIT $4 FOR UPDATE SKIP LOCKED
), asked AS MATERIALIZED (
    SELECT d.id, c.tags @> '{vip}' AND (c.attributes->>'score')::int >= 50 AS yes
    FROM due d JOIN contacts c ON c.id = d.contact_id
), moved AS (
    UPDATE journey_runs r SET step = CASE WHEN a.yes THEN $7::smallint ELSE $8::smallint END, seq = r.seq + 2,
        step_at = $3::timestamptz, due_at = $5::timestamptz, wait_since = $3::timestamptz
    FROM asked a WHERE r.id = a.id RETURNING r.id, r.seq
), told AS (
    INSERT INTO journey_trail (run_id, seq, at, step, outcome)
    SELECT m.id, m.seq - s.back, $3::timestamptz, s.step, 2::smallint
    FROM moved m CROSS JOIN (VALUES (2, $2::smallint), (1, $6::smallint)) AS s (back, step)
)
SELECT count(*) FROM moved
"""
