"""Message steps of journeys: people who are sent an SMS, beside the same sends as the API accepts them.

Both in turns, in the sandbox. Ours moves a run for each message, and comes to the step before.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from core import idempotency, sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Limits, system_caller
from core.journeys.models import Journey, JourneyStatus
from core.journeys.runs.enrol import enrol
from core.journeys.runs.move import BATCH_SIZE, move_step
from core.journeys.runs.program import Program, compile_program, load_program
from core.sms.accept import accept_batch
from core.sms.send_request import SmsSendRequest

STEPS = [{"id": "a", "tipo": "mensagem", "config": {"canal": "sms", "texto": "Olá"}}]
MOST = 40_000
AT_ONCE = 64
"""Sends that an API process under load accepts together."""
COINS = 10**9
PEOPLE = "SELECT id, phone FROM contacts WHERE organization_id = $1 ORDER BY id"


async def measure(house: House) -> Report:
    """Batches of both, in turns."""
    async with house.database():
        [customer] = await some_customers(1)
        number = min(house.effort.messages, MOST)
        house.say(f"writing {number:,} contacts")
        await fill_contacts(customer.organization_id, number)
        await wallet.credit(customer.organization_id, "test", COINS)
        program = await _program(customer.organization_id)
        half = number // 2
        some = f"SELECT id AS contact_id FROM ({PEOPLE} LIMIT {half}) AS c"
        await enrol(program, some, [customer.organization_id], at=now())
        people = await db.fetch(f"{PEOPLE} OFFSET {half}", customer.organization_id)
        caller = replace(
            system_caller(customer.organization_id, "test"), limits=Limits(sms_per_second=COINS)
        )
        await db.execute("VACUUM ANALYZE journey_runs")
        house.say("sending in turns")
        sent, seconds = 0, [0.0, 0.0]
        for first in range(0, half - BATCH_SIZE + 1, BATCH_SIZE):
            began = time.perf_counter()
            await _accept(caller, people[first : first + BATCH_SIZE])
            middle = time.perf_counter()
            sent += await move_step(program.version_id, 0, at=now())
            seconds[0] += middle - began
            seconds[1] += time.perf_counter() - middle
    bare, ours = sent / seconds[0], sent / seconds[1]
    return Report(
        "journey_messages",
        rows=[Row("message step", {"per second": ours, "bare": bare, "share": ours / bare})],
        goals=[Goal("message steps: of sends of the API", ours / bare, "at least", 0.9)],
        notes=[
            f"{sent:,} SMS of each: ours in batches of {BATCH_SIZE:,}, those of the API {AT_ONCE} at once",
        ],
    )


async def _accept(caller: Caller, people: Sequence[db.Row]) -> None:
    """As an API process accepts concurrent sends: so many in a statement and a commit."""
    for first in range(0, len(people), AT_ONCE):
        await accept_batch([_send(caller, row) for row in people[first : first + AT_ONCE]])


def _send(caller: Caller, row: db.Row) -> SmsSendRequest:
    new = sms.NewSms(to=row["phone"], body="Olá", route=sms.SmsRoute.PREMIUM, contact_id=row["id"])
    return SmsSendRequest(
        caller=caller,
        new=new,
        use=idempotency.key_use(
            caller, "sms.send", new_id("key"), new.model_dump(exclude_unset=True)
        ),
        encoded=sms.encode_sms(new.body),
        id=new_id("msg"),
        at=now(),
    )


async def _program(organization_id: str) -> Program:
    id, at = new_id("jor"), now()
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
        created_at=at,
        updated_at=at,
    )
    return await load_program(id)
