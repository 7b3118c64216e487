"""From the sandbox's report to the customer's server: one worker drains what was accepted before it
started.

Each round sends messages through the API while no worker runs; their reports are due at once. Then
a worker starts, and the clock runs from its first look until the receiver has been told about every
one of them.
"""

import statistics
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice

import orjson

from bench.kit.drained import Drained, row_of
from bench.kit.house import House
from bench.kit.load import load
from bench.kit.organizations import Customer, some_customers
from bench.kit.program import Program
from bench.kit.receiver import Receiver, receiver
from bench.kit.report import Goal, Report
from bench.kit.sends import sends
from bench.webhook_floor import floor_round
from core import organizations, webhooks
from core.foundation.database import db
from core.foundation.security.caller import system_caller

MESSAGES = 20_000
ROUNDS = 2
SENDERS = 64
PATIENCE_SECONDS = 120.0
NOTHING_DELAYED = {"SVC_SANDBOX_DELAY_SECONDS": "0"}


class Undelivered(Exception):
    """The receiver was not told of what the API accepted, or the database does not say so."""


async def measure(house: House) -> Report:
    """Rounds of the floor and of the service, in turn."""
    floor, service = [], []
    most = min(ROUNDS, house.effort.rounds)
    async with house.database(), receiver() as here:
        customer = (await some_customers(1))[0]
        await _subscribe(customer, here.url)
        with house.api(**NOTHING_DELAYED) as api:
            api.wait_until_ready()
            for number in range(1, most + 1):
                house.say(f"round {number} of {most}: the floor")
                floor.append(await floor_round(house, here, MESSAGES))
                house.say(
                    f"round {number} of {most}: accepting {MESSAGES:,} messages through the API"
                )
                accepted = await _accept(api, customer, f"round {number}")
                house.say(f"round {number} of {most}: one worker delivers their reports")
                service.append(await _drain(house, here, accepted))
    return _report(floor, service)


async def _subscribe(customer: Customer, url: str) -> None:
    new = webhooks.NewSubscription(
        url=url,
        events=[
            webhooks.EventType.SMS_DELIVERED,
            webhooks.EventType.SMS_FAILED,
            webhooks.EventType.SMS_UNDELIVERED,
        ],
    )
    await organizations.subscribe(system_caller(customer.organization_id, "test"), new)


async def _accept(api: Program, customer: Customer, run: str) -> set[bytes]:
    """Send through the API; the ids of what it accepted."""
    requests = islice(sends([customer], run=run), MESSAGES)
    answers = await load(api.port, requests, concurrency=SENDERS, status=201, keep=True)
    return {orjson.loads(body)["id"].encode() for body in answers.bodies}


async def _drain(house: House, here: Receiver, accepted: set[bytes]) -> Drained:
    here.expect(len(accepted))
    database_before = house.database_cpu_seconds()
    with house.worker(**NOTHING_DELAYED) as worker:
        started = await worker.says("worker_started")
        cpu_before = worker.cpu_seconds
        await here.all_seen(within=PATIENCE_SECONDS)
        seconds = (datetime.now(UTC) - started).total_seconds()
        cpu = worker.cpu_seconds - cpu_before
        database_cpu = house.database_cpu_seconds() - database_before
    await _check(here.seen, accepted)
    return Drained(len(accepted), here.requests, seconds, cpu, database_cpu)


async def _check(seen: Iterable[bytes], accepted: set[bytes]) -> None:
    """Every message was told about, and nothing is left to do."""
    if set(seen) != accepted:
        raise Undelivered(f"{len(accepted - set(seen))} messages were never told about")
    due = await db.fetchval("SELECT count(*) FROM webhook_deliveries WHERE status <> 'entregue'")
    if due:
        raise Undelivered(f"{due} deliveries arrived and are not written down as delivered")


def _report(floor: list[Drained], service: list[Drained]) -> Report:
    repeated = sum(one.requests - one.messages for one in service)
    ratio = statistics.median(
        one.per_second / other.per_second for one, other in zip(service, floor, strict=True)
    )
    return Report(
        "sms_to_webhook",
        rows=[row_of("floor: posts from memory", floor), row_of("one worker", service)],
        goals=[
            Goal(
                "messages per second",
                statistics.median(one.per_second for one in service),
                "at least",
                1500,
            ),
        ],
        notes=[
            f"{MESSAGES:,} messages of one organization, accepted through the API before the worker starts",
            f"every one arrived, {repeated} more than once; {ratio:.2f} of the floor's rate",
        ],
    )
