"""The event feed: what it adds to publishing, and how long an event takes to stand in it.

Publishing is measured against the same statement without the feed's queue. For the delay one worker
runs; events are published at an even rate, and a reader asks the feed again and again.
"""

import asyncio
import statistics
import time
from itertools import count

from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report, Row
from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, system_caller
from core.webhooks.events.publish import PUBLISH

EVENTS = 4_000
PUBLISHERS = 4
PER_SECOND = 200
LOOK_EVERY_SECONDS = 0.02
DATA = {
    "to": "+5511987654321",
    "route": "premium",
    "status": "delivered",
    "segments": 1,
    "sentAt": "2026-11-01T12:00:00.000Z",
    "deliveredAt": "2026-11-01T12:00:03.000Z",
    "env": "test",
    "metadata": {"order": "A-1", "attempt": 1},
}

FOR_THE_FEED = PUBLISH[PUBLISH.index("), to_feed AS (") : PUBLISH.index("), queued AS (")]
STATEMENTS = {"with": PUBLISH, "without": PUBLISH.replace(FOR_THE_FEED, "")}


async def measure(house: House) -> Report:
    """Rounds with and without the feed, in turn; then the delay."""
    rates: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    cpu: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    async with house.database():
        customers = await some_customers(50)
        for number in range(1, house.effort.rounds + 1):
            house.say(
                f"round {number} of {house.effort.rounds}: publishing with and without the feed"
            )
            for name, sql in STATEMENTS.items():
                before = house.database_cpu_seconds()
                rates[name].append(EVENTS / await _publish_all(sql, customers))
                cpu[name].append((house.database_cpu_seconds() - before) / EVENTS * 1e6)
            while await webhooks.assign_positions(at=now()):
                pass
        with house.worker() as worker:
            await worker.says("worker_started")
            seconds = max(5.0, house.effort.seconds * house.effort.rounds)
            house.say(
                f"{PER_SECOND} events per second for {seconds:.0f} s: when does the feed have them?"
            )
            delays = await _delays(customers[0], seconds)
    return _report(rates, cpu, delays)


async def _publish_all(sql: str, customers: list[Customer]) -> float:
    """How many seconds it took to publish so many events, one by one."""

    async def one(publisher: int) -> None:
        for number in range(publisher, EVENTS, PUBLISHERS):
            owner = customers[number % len(customers)].organization_id
            at = now()
            await db.fetchval(
                sql, [new_id("evt")], [owner], ["test"], ["sms.delivered"], [DATA], [at], [None], at
            )

    started = time.perf_counter()
    await asyncio.gather(*map(one, range(PUBLISHERS)))
    return time.perf_counter() - started


def _caller(customer: Customer) -> Caller:
    return system_caller(customer.organization_id, "test")


async def _delays(customer: Customer, seconds: float) -> list[float]:
    """Milliseconds from the commit of each event until the feed has it, in order."""
    caller, clock = _caller(customer), time.perf_counter
    committed: dict[int, float] = {}
    seen: dict[int, float] = {}
    page = await webhooks.read_feed(caller, webhooks.FeedPage(cursor="latest"))
    ends = clock() + seconds

    async def write() -> None:
        started = clock()
        for number in count():
            if clock() >= ends:
                return
            await webhooks.publish(caller, "sms.delivered", {"n": number, **DATA}, at=now())
            committed[number] = clock()
            await asyncio.sleep(max(0.0, started + (number + 1) / PER_SECOND - clock()))

    writer = asyncio.create_task(write())
    cursor = page["nextCursor"]
    while not writer.done() or len(seen) < len(committed):
        page = await webhooks.read_feed(caller, webhooks.FeedPage(cursor=cursor, limit=200))
        cursor = page["nextCursor"]
        seen.update((event["data"]["n"], clock()) for event in page["items"])
        if not page["hasMore"]:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
    await writer
    return sorted((seen[number] - at) * 1000 for number, at in committed.items())


def _report(
    rates: dict[str, list[float]], cpu: dict[str, list[float]], delays: list[float]
) -> Report:
    spent = statistics.median(
        one / other for one, other in zip(cpu["with"], cpu["without"], strict=True)
    )
    p50, p99 = (delays[int(len(delays) * share)] for share in (0.5, 0.99))
    return Report(
        "event_feed",
        rows=[
            *(
                Row(
                    f"publishing {name} the feed",
                    {
                        "per second": statistics.median(rates[name]),
                        "PostgreSQL CPU µs": statistics.median(cpu[name]),
                    },
                )
                for name in rates
            ),
            Row(
                "from the commit to the feed", {"p50 ms": p50, "p99 ms": p99, "max ms": delays[-1]}
            ),
        ],
        goals=[
            Goal("of PostgreSQL's CPU without the feed, to publish", spent, "at most", 1.15),
            Goal("ms until the feed has an event (p99)", p99, "at most", 500),
        ],
        notes=[
            f"{EVENTS:,} events of 50 organizations, one by one; then {PER_SECOND} per second of one organization"
        ],
    )
