"""Caps when several workers send at once: never one more."""

import asyncio

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.journeys.runs.sending.caps import OF_ALL, Cap, give_back, take_places
from tests.core.journeys.test_caps_and_silence import DAY
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts


async def test_of_eight_workers_none_sends_one_more(real_commits: None) -> None:
    caller = await a_caller()
    ids = await stored_contacts(caller, [{}] * 40)
    caps = {journey: [Cap(journey, 3, DAY), Cap(OF_ALL, 4, DAY)] for journey in ("jor_a", "jor_b")}
    at = now()

    async def work(number: int) -> int:
        """Ask for everybody, in an order of its own, for one of two journeys; half gives up."""
        sent = 0
        asked = ids if number % 3 else ids[::-1]
        mine = caps["jor_a" if number % 2 else "jor_b"]
        for _ in range(3):
            async with transaction():
                without = await take_places(caller, mine, asked, at=at)
                taken = [id for place, id in enumerate(asked) if place not in without]
                await asyncio.sleep(0)
                for cap in mine:
                    await give_back(cap.scope, taken[::4], at=at)
                sent += len(taken) - len(taken[::4])
        return sent

    sent = sum(await asyncio.gather(*(work(number) for number in range(8))))
    while taken := 40 - len(await take_places(caller, caps["jor_a"][1:], ids, at=at)):
        sent += taken

    assert sent == 4 * 40
    rows = await db.fetch("SELECT scope, cardinality(sent) AS sent FROM contact_caps")
    assert max(row["sent"] for row in rows if row["scope"]) <= 3
    assert {row["sent"] for row in rows if not row["scope"]} == {4}
