"""Thirty days of a sandbox: a worker moves the clock over six messages to each of 1,000 people, with
their reports and a webhook for each; played twice, the events are compared. Then the same months of a
journey: six messages, waits between them, a condition, and its webhooks.
"""

import asyncio
import hashlib
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import orjson

from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.receiver import receiver
from bench.kit.report import Goal, Report, Row
from core import contact_imports, journeys, lists, organizations, sandbox_clock, sms, webhooks
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller
from core.messaging import SendSchedule
from core.sandbox_clock import ClockAdvance, ClockSetting, ClockStatus

PEOPLE = 1_000
MESSAGES = 6
DAYS = 30
HOURS = 24
"""The people of a message have it at so many hours of its day."""
ENDINGS = ("0005", "4321", "0006", "0008", "0013", "7777", "1234", "0018")
CHUNK = 500
PATIENCE_SECONDS = 310.0
POLL_SECONDS = 0.1
SECONDS = 60.0

FEED = """
SELECT e.type, e.occurred_at, e.data - 'id' - 'providerReceipt' AS data
FROM webhook_feed f JOIN webhook_events e ON e.id = f.event_id
WHERE f.organization_id = $1 AND e.type LIKE 'sms.%' ORDER BY f.position
"""

COUNTED = """
SELECT count(*) FILTER (WHERE status = 'entregue') AS delivered, count(*) AS all_
FROM webhook_deliveries WHERE organization_id = $1
"""


class NotTheSame(Exception):
    """What was played twice did not come to the same, or not to its end."""


async def measure(house: House) -> Report:
    """The same thirty days for two organizations, one after the other."""
    seconds: list[float] = []
    feeds: list[str] = []
    applied = events = 0
    start = (
        (real_now() + timedelta(days=1))
        .astimezone(UTC)
        .replace(hour=12, minute=0, second=0, microsecond=0)
    )
    async with house.database(), receiver() as here:
        customers = await some_customers(2)
        with house.worker() as worker:
            await worker.says("worker_started")
            for number, customer in enumerate(customers, 1):
                house.say(f"play {number} of {len(customers)}")
                caller = replace(
                    system_caller(customer.organization_id, "test"), credential_id=None
                )
                await _prepare(caller, here.url, start)
                took, applied = await _play(caller)
                seconds.append(took)
                feed, events = await _feed(customer)
                feeds.append(feed)
            house.say("play of a journey")
            (customer,) = await some_customers(1)
            caller = replace(system_caller(customer.organization_id, "test"), credential_id=None)
            await _prepare_journey(caller, here.url, start)
            of_journey, applied_there = await _play(caller)
            _, told = await _feed(customer)
    if feeds[0] != feeds[1]:
        raise NotTheSame("the two plays have other events")
    return Report(
        "thirty_days",
        rows=[
            Row(f"play {number}", {"seconds": took, "things per second": applied / took})
            for number, took in enumerate(seconds, 1)
        ]
        + [
            Row(
                "a journey",
                {"seconds": of_journey, "things per second": applied_there / of_journey},
            )
        ],
        goals=[
            Goal("seconds for thirty days", max(seconds), "at most", SECONDS),
            Goal("seconds for thirty days of a journey", of_journey, "at most", SECONDS),
        ],
        notes=[
            f"{PEOPLE:,} people, {MESSAGES} messages each: {applied:,} things happened, {events:,} events",
            f"the journey: {PEOPLE:,} people, {applied_there:,} things happened, {told:,} events",
            "both plays gave the same events in the same order, but for ids",
        ],
    )


async def _prepare(caller: Caller, url: str, start: datetime) -> None:
    """A clock that stands, a subscription, and what is to leave in thirty days."""
    new = webhooks.NewSubscription.model_validate(
        {"url": url, "events": ["sms.delivered", "sms.undelivered", "sms.failed"]}
    )
    await organizations.subscribe(caller, new)
    await sandbox_clock.set_clock(caller, ClockSetting(agora=start, congelado=True))
    async with sandbox_clock.time_of(caller):
        requests = [
            sms.queued_sms(
                caller,
                _message(person, number),
                key=f"{person}-{number}",
                later=SendSchedule(
                    start
                    + timedelta(days=DAYS // MESSAGES * number, hours=person % HOURS, minutes=1)
                ),
            )
            for number in range(MESSAGES)
            for person in range(PEOPLE)
        ]
        for place in range(0, len(requests), CHUNK):
            outcomes = await sms.queue_messages(requests[place : place + CHUNK])
            if refused := [one for one in outcomes if isinstance(one, Exception)]:
                raise refused[0]


async def _prepare_journey(caller: Caller, url: str, start: datetime) -> None:
    """A clock that stands, a subscription, people on a list, and a journey that all of them enter."""
    await organizations.subscribe(
        caller,
        webhooks.NewSubscription.model_validate(
            {"url": url, "events": ["sms.delivered", "sms.undelivered", "sms.failed"]}
        ),
    )
    await sandbox_clock.set_clock(caller, ClockSetting(agora=start, congelado=True))
    async with sandbox_clock.time_of(caller):
        people = await lists.create_list(caller, lists.NewList.model_validate({"name": "Todos"}))
        done = await contact_imports.import_contacts(
            caller,
            contact_imports.ContactImport.model_validate(
                {
                    "contatos": [
                        {"phone": _phone(person), "tags": ["vip"] if person % 2 else []}
                        for person in range(PEOPLE)
                    ],
                    "listId": people["id"],
                    "silencioso": True,
                }
            ),
        )
        if done["erros"]:
            raise NotTheSame("not everybody was imported")
        journey = await journeys.create_journey(
            caller, journeys.NewJourney.model_validate(_journey(people["id"]))
        )
        await journeys.activate_journey(
            caller, journey["id"], journeys.Activation.model_validate({"incluirAtuais": True})
        )


def _journey(list_id: str) -> dict[str, object]:
    """A message every five days, and a condition on the way, which both halves leave at once."""
    steps: list[dict[str, object]] = []
    for number in range(MESSAGES):
        steps += [
            {
                "id": f"aviso-{number}",
                "tipo": "mensagem",
                "config": {"canal": "sms", "texto": f"Aviso {number}"},
                "proximo": f"espera-{number}",
            },
            {
                "id": f"espera-{number}",
                "tipo": "espera",
                "config": {"duracaoHoras": 24 * DAYS // MESSAGES - 1},
                "proximo": f"vip-{number}",
            },
            {
                "id": f"vip-{number}",
                "tipo": "condicao",
                "config": {
                    "filterTree": {
                        "kind": "leaf",
                        "filter": {"field": "tag", "operator": "is", "value": "vip"},
                    },
                    "seSim": f"marca-{number}",
                    "seNao": f"aviso-{number + 1}" if number + 1 < MESSAGES else "fim",
                },
            },
            {
                "id": f"marca-{number}",
                "tipo": "atualizarContato",
                "config": {"tags": [f"aviso-{number}"]},
                "proximo": f"aviso-{number + 1}" if number + 1 < MESSAGES else "fim",
            },
        ]
    return {
        "name": "Trinta dias",
        "gatilho": {"listId": list_id},
        "entradaPasso": "aviso-0",
        "passos": [*steps, {"id": "fim", "tipo": "saida"}],
    }


def _phone(person: int) -> str:
    return f"+55119{person:04d}{ENDINGS[person % len(ENDINGS)]}"


def _message(person: int, number: int) -> sms.NewSms:
    return sms.NewSms.model_validate(
        {"to": _phone(person), "body": f"Aviso {number}", "route": "premium"}
    )


async def _play(caller: Caller) -> tuple[float, int]:
    """How many seconds the worker needs for thirty days, and how many things happen."""
    started = time.perf_counter()
    clock = await sandbox_clock.advance_clock(caller, ClockAdvance(por=f"P{DAYS}D"))
    while clock["status"] == ClockStatus.ADVANCING:
        if time.perf_counter() - started > PATIENCE_SECONDS:
            raise NotTheSame("the clock did not arrive")
        await asyncio.sleep(POLL_SECONDS)
        clock = await sandbox_clock.get_clock(caller)
    took = time.perf_counter() - started
    if clock["status"] != ClockStatus.READY:
        raise NotTheSame("the clock met a limit")
    return took, clock["aplicados"]


async def _feed(customer: Customer) -> tuple[str, int]:
    """A digest of the event feed, and how many events it has: as soon as all have a position."""
    counted = await db.fetchrow(COUNTED, customer.organization_id)
    assert counted is not None
    if counted["delivered"] != counted["all_"]:
        raise NotTheSame("not every webhook was delivered")
    while True:
        rows = await db.fetch(FEED, customer.organization_id)
        if len(rows) == counted["all_"]:
            break
        await asyncio.sleep(POLL_SECONDS)
    digest = hashlib.sha256()
    for row in rows:
        digest.update(
            orjson.dumps(
                [row["type"], row["occurred_at"], row["data"]], option=orjson.OPT_SORT_KEYS
            )
        )
    return digest.hexdigest(), len(rows)
