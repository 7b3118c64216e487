"""Messages of journeys when several workers move at once, and die at any moment."""

import asyncio
import random

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from core.sms.queue.dispatcher import QUEUE
from tests.core.journeys.test_sending import a_message
from tests.factories.journeys import a_running_journey, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.queue import hand_over_here
from tests.factories.stored_contacts import stored_contacts
from tests.support.journeying import let_in, recount, standing
from tests.support.money import balances_of


async def test_whoever_dies_each_run_has_each_message_once(real_commits: None) -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{"email": f"p{place}@example.com"} for place in range(60)])
    steps = in_a_row(
        a_message(), {"tipo": "webhook", "config": {"url": "http://127.0.0.1:9009/h"}}, a_message(canal="email")
    )  # fmt: skip
    program = await a_running_journey(caller, **steps, tetoDeFrequencia={"mensagens": 2, "dias": 7})
    for part in range(0, 60, 6):
        await let_in(program, ids[part : part + 6], at=now())
    draw = random.Random(24)

    async def worker() -> None:
        while True:
            await journeys.move_due(at=now())
            await asyncio.sleep(0)

    async def dies_now_and_then() -> None:
        for _ in range(6):
            task = asyncio.create_task(worker())
            await asyncio.sleep(draw.uniform(0, 0.08))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    await asyncio.gather(*(dies_now_and_then() for _ in range(3)))
    for _ in range(3):
        while await journeys.move_due(at=now()):
            pass
        await hand_over_here(QUEUE, at=now())

    assert set((await standing(program)).values()) == {"s2"}
    rows = await db.fetch(
        "SELECT journey_run, channel, count(*) AS n FROM messages GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert len(rows) == 120
    assert {row["n"] for row in rows} == {1}
    assert await db.fetchval("SELECT count(*) FROM webhook_events") == 60
    assert await db.fetchval("SELECT count(*) FROM journey_effects") == 180
    assert {row["n"] for row in await db.fetch(CAPS)} == {2}
    assert (await balances_of(caller)).held == await db.fetchval(
        "SELECT sum(coins) FROM messages WHERE status = 'queued'"
    )
    await recount(program)


CAPS = "SELECT cardinality(sent) AS n FROM contact_caps"
