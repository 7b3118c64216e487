"""One worker delivers what is queued, against posting from memory; then with receivers among the
others that hang.

Of 40 receivers two hang in the second round of each pair, and what is queued for these two makes
100,000 deliveries.
"""

import asyncio
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime

import psutil

from bench.kit.drained import Drained, row_of
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.program import Program
from bench.kit.receiver import Receiver, hanging_ports, other_ports, receiver
from bench.kit.report import Goal, Report, Row
from bench.webhook_floor import floor_round
from core import organizations, webhooks
from core.foundation.database import db
from core.foundation.security.caller import system_caller

NUMBER = 20_000
RECEIVERS = 40
HANGING = 2
PENDING = 100_000
ROUNDS = 3
PATIENCE_SECONDS = 120.0
MEGABYTE = 1024 * 1024

EMPTY = "TRUNCATE webhook_subscriptions, webhook_events, webhook_deliveries, webhook_attempts"

FILL_EVENTS = """
INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at)
SELECT 'evt_' || lpad(n::text, 21, '0'), $1, 'test', 'sms.delivered',
       jsonb_build_object(
           'id', 'msg_' || lpad(n::text, 21, '0'), 'to', '+5511987654321', 'route', 'premium', 'status', 'delivered',
           'segments', 1, 'sentAt', '2026-11-01T12:00:00.000Z', 'deliveredAt', '2026-11-01T12:00:03.000Z',
           'providerReceipt', jsonb_build_object(
               'type', 'api_message', 'status', 'DELIVRD', 'statusDescription', 'Delivered to the handset',
               'bill_factor', 1, 'channel', 'SMS', 'id', 'sbx_' || lpad(n::text, 21, '0'),
               'reference', 'msg_' || lpad(n::text, 21, '0'), 'to', '+5511987654321'),
           'env', 'test', 'metadata', jsonb_build_object('order', 'A-' || n, 'attempt', 1)),
       now(), now()
FROM generate_series(1, $2::int) AS n
"""

# Round-robin over the subscriptions; those that hang have waited longer than the others.
FILL_DELIVERIES = """
INSERT INTO webhook_deliveries
    (id, organization_id, env, subscription_id, event_id, status, attempts, due_at, created_at)
SELECT svc_new_id('dlv'), $1, 'test', ($2::text[])[n % cardinality($2::text[]) + 1],
       'evt_' || lpad((n % $4 + 1)::text, 21, '0'), 'pendente', 0, now() - make_interval(secs => $5), now()
FROM generate_series(0, $3::int - 1) AS n
"""


class Undelivered(Exception):
    """The database does not say of all that arrived that it was delivered."""


async def measure(house: House) -> Report:
    """Rounds of the floor, of a worker whose receivers are all healthy, and of one some of whose
    hang, in turn.
    """
    floor: list[Drained] = []
    healthy: list[Drained] = []
    among: list[Drained] = []
    memory: list[float] = []
    async with (
        house.database(),
        receiver() as here,
        other_ports(here, RECEIVERS) as urls,
        hanging_ports(HANGING) as dead,
    ):
        [customer] = await some_customers(1)
        most = min(ROUNDS, house.effort.rounds)
        for number in range(1, most + 1):
            house.say(f"round {number} of {most}: the floor")
            floor.append(await floor_round(house, here, NUMBER))
            house.say(f"round {number} of {most}: one worker")
            drained, _ = await _round(house, here, customer, urls, [])
            healthy.append(drained)
            house.say(f"round {number} of {most}: one worker, {HANGING} of {RECEIVERS} hang")
            drained, grown = await _round(house, here, customer, urls[HANGING:], dead)
            among.append(drained)
            memory.append(grown)
    return _report(floor, healthy, among, memory)


async def _round(
    house: House, here: Receiver, customer: Customer, urls: Sequence[str], dead: Sequence[str]
) -> tuple[Drained, float]:
    await db.execute(EMPTY)
    await db.execute(FILL_EVENTS, customer.organization_id, NUMBER)
    for some, number, waited in ((urls, NUMBER, 60), (dead, PENDING - NUMBER, 120)):
        if some:
            ids = [await _subscribe(customer, url) for url in some]
            await db.execute(FILL_DELIVERIES, customer.organization_id, ids, number, NUMBER, waited)
    for table in ("webhook_events", "webhook_deliveries"):
        await db.execute(f"VACUUM ANALYZE {table}")
    here.expect(NUMBER)
    database_before = house.database_cpu_seconds()
    with house.worker() as worker:
        started = await worker.says("worker_started")
        cpu_before = worker.cpu_seconds
        await here.all_seen(within=PATIENCE_SECONDS)
        seconds = (datetime.now(UTC) - started).total_seconds()
        cpu = worker.cpu_seconds - cpu_before
        database_cpu = house.database_cpu_seconds() - database_before
        memory = _resident(worker)
        await _check()
    return Drained(NUMBER, here.requests, seconds, cpu, database_cpu), memory


async def _subscribe(customer: Customer, url: str) -> str:
    new = webhooks.NewSubscription(url=url, events=[webhooks.EventType.SMS_DELIVERED])
    made = await organizations.subscribe(system_caller(customer.organization_id, "test"), new)
    return made["webhook"]["id"]


async def _check() -> None:
    for _ in range(100):
        count = await db.fetchval(
            "SELECT count(*) FROM webhook_deliveries WHERE status = 'entregue'"
        )
        if count == NUMBER:
            return
        await asyncio.sleep(0.05)
    raise Undelivered(f"{count} of {NUMBER} are written down as delivered")


def _resident(worker: Program) -> float:
    return float(psutil.Process(worker.pid).memory_info().rss) / MEGABYTE


def _report(
    floor: list[Drained], healthy: list[Drained], among: list[Drained], memory: list[float]
) -> Report:
    ratio = statistics.median(
        one.per_second / other.per_second for one, other in zip(healthy, floor, strict=True)
    )
    kept = statistics.median(
        one.per_second / other.per_second for one, other in zip(among, healthy, strict=True)
    )
    return Report(
        "webhook_delivery",
        rows=[
            row_of("floor: posts from memory", floor),
            row_of("one worker", healthy),
            row_of(f"one worker, {HANGING} of {RECEIVERS} receivers hang", among),
            Row("memory of the worker", {"MB": max(memory)}),
        ],
        goals=[
            Goal("of the floor's rate", ratio, "at least", 0.6),
            Goal("of that, when 5 % of the receivers hang", kept, "at least", 0.9),
            Goal(
                f"MB of the worker with {PENDING:,} deliveries pending", max(memory), "at most", 300
            ),
        ],
        notes=[
            f"{NUMBER:,} deliveries to {RECEIVERS} receivers; only those that answer are counted"
        ],
    )
