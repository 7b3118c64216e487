"""How soon journeys notice: events that runs wait for, and contacts that come into a watched segment.

From the commit to what others can read. One worker runs, and many others wait meanwhile.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.paced import milliseconds
from bench.kit.report import Goal, Report, Row
from core import customer_events, journeys, segments
from core.customer_events import NewCustomerEvent
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller
from core.journeys.runs.enrol import enrol
from core.journeys.runs.program import load_program

MOST = 100_000
"""Contacts that are there, all of whom wait for the event."""
SAMPLES = 600
PER_SECOND = 30
LOOK_SECONDS = 0.01
PATIENCE_SECONDS = 60.0

EVENT = "purchase"
AWAIT = {"evento": EVENT, "prazoHoras": 720, "seOcorrer": "end", "seExpirar": "end"}
END: dict[str, object] = {"id": "end", "tipo": "atualizarContato", "config": {"tags": ["seen"]}}
AWAITING: list[dict[str, object]] = [{"id": "wait", "tipo": "aguardarEvento", "config": AWAIT}, END]
ENTERING: list[dict[str, object]] = [
    {"id": "wait", "tipo": "espera", "config": {"duracaoHoras": 720}, "proximo": "end"},
    END,
]
VIP = {"field": "tag", "operator": "is", "value": "watched"}


async def measure(house: House) -> Report:
    """Both, one after the other, through the same worker."""
    async with house.database():
        [customer] = await some_customers(1)
        caller = system_caller(customer.organization_id, "test")
        number = min(house.effort.messages, MOST)
        house.say(f"writing {number:,} contacts")
        await fill_contacts(customer.organization_id, number)
        rows = await db.fetch(SOME, customer.organization_id, 2 * SAMPLES)
        ids = [row["id"] for row in rows]
        awaiting = await _active(caller, AWAITING, {"nome": "signup"})
        segment = segments.NewSegment.model_validate({"name": "Watched", "filters": [VIP]})
        watched = (await segments.create_segment(caller, segment))["id"]
        entering = await _active(caller, ENTERING, {"segmentId": watched}, include_present=False)
        await enrol(await load_program(awaiting), ALL, [caller.organization_id], at=now())
        await db.execute("VACUUM ANALYZE journey_runs")
        with house.worker() as worker:
            await worker.says("worker_started")
            house.say(f"{number:,} contacts come to wait")
            await _until_all_wait(awaiting, number)

            async def buys(id: str) -> None:
                new = {"name": EVENT, "eventId": id, "contact": {"contactId": id}}
                await customer_events.record_event(caller, NewCustomerEvent.model_validate(new))

            async def changes(id: str) -> None:
                await db.execute(TAG, id)

            house.say("events that runs wait for")
            woken = await _latencies(buys, WOKEN, awaiting, ids[:SAMPLES])
            house.say("contacts that come into a watched segment")
            entered = await _latencies(changes, ENTERED, entering, ids[SAMPLES:])
    return _report(number, woken, entered)


async def _active(
    caller: Caller,
    steps: list[dict[str, object]],
    trigger: dict[str, str],
    *,
    include_present: bool | None = None,
) -> str:
    """A journey that runs; its id."""
    name = next(iter(trigger.values()))
    new = {"name": name, "gatilho": trigger, "passos": steps, "entradaPasso": "wait"}
    made = await journeys.create_journey(caller, journeys.NewJourney.model_validate(new))
    how = journeys.Activation(include_present=include_present)
    await journeys.activate_journey(caller, made["id"], how)
    return made["id"]


async def _until_all_wait(version_id: str, number: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS + number / 1_000):
        # Another process moves them.
        while await db.fetchval(WAITING, version_id) < number:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def _latencies(
    cause: Callable[[str], Awaitable[None]], reached: str, version_id: str, ids: Sequence[str]
) -> list[float]:
    """Seconds from the commit of what each contact does to what follows being there, for others to read."""
    committed: dict[str, float] = {}
    seconds: list[float] = []

    async def look() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS + len(ids) / PER_SECOND):
            while len(seconds) < len(ids):
                rows = await db.fetch(reached, version_id, list(committed))
                seen = time.perf_counter()
                seconds.extend(seen - committed.pop(row["contact_id"]) for row in rows)
                await asyncio.sleep(LOOK_SECONDS)

    async with asyncio.TaskGroup() as group:
        group.create_task(look())
        begin = time.perf_counter()
        for place, id in enumerate(ids):
            await asyncio.sleep(max(0.0, begin + place / PER_SECOND - time.perf_counter()))
            await cause(id)
            committed[id] = time.perf_counter()
    return seconds


def _report(number: int, woken: list[float], entered: list[float]) -> Report:
    found = {"event to woken run": woken, "change to entry": entered}
    p99 = {name: milliseconds(seconds, 99) / 1000 for name, seconds in found.items()}
    return Report(
        "journey_wake",
        rows=[
            Row(name, {"p50 ms": milliseconds(seconds, 50), "p99 ms": p99[name] * 1000})
            for name, seconds in found.items()
        ],
        goals=[
            Goal("event to woken run: p99 in s", p99["event to woken run"], "at most", 1),
            Goal("entry by a watched segment: p99 in s", p99["change to entry"], "at most", 3),
        ],
        notes=[
            f"{SAMPLES} of each, {PER_SECOND} a second; {number:,} contacts wait, one worker",
            f"from the commit to what others can read, looked at every {LOOK_SECONDS * 1000:.0f} ms",
        ],
    )


SOME = """
SELECT id FROM contacts WHERE organization_id = $1 AND opt_in_status <> 'denied' ORDER BY id LIMIT $2
"""
ALL = "SELECT id AS contact_id FROM contacts WHERE organization_id = $1"
TAG = "UPDATE contacts SET tags = array_append(tags, 'watched') WHERE id = $1"
WAITING = "SELECT count(*) FROM journey_runs WHERE version_id = $1 AND wait_event IS NOT NULL"
WOKEN = """
SELECT contact_id FROM journey_runs WHERE version_id = $1 AND contact_id = ANY ($2::text[]) AND state <> 1
"""
ENTERED = """
SELECT contact_id FROM journey_runs WHERE version_id = $1 AND contact_id = ANY ($2::text[])
"""
