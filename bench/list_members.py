"""Putting 50,000 phones on a list over 100,000 contacts, against the one statement that does the
same.
"""

import statistics
import time

import orjson

from bench.kit.base import fill_contacts, identities, phones
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from core import lists
from core.foundation.database import db
from core.foundation.security.caller import system_caller

CONTACTS = 100_000
MEMBERS = 50_000

FLOOR = """
INSERT INTO contact_list_members (organization_id, env, list_id, contact_id, created_at)
SELECT c.organization_id, c.env, $2, c.id, now() FROM contacts c
WHERE c.organization_id = $1 AND c.env = 'test' AND c.identity = ANY ($3)
ON CONFLICT (list_id, contact_id) DO NOTHING
"""


async def measure(house: House) -> Report:
    """Rounds of the bare statement and of the operation, in turn; and the operation again, when all
    are members.
    """
    floor: list[float] = []
    added: list[float] = []
    again: list[float] = []
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"writing {CONTACTS:,} contacts")
        await fill_contacts(customer.organization_id, CONTACTS)
        caller = system_caller(customer.organization_id, "test")
        list_id = (await lists.create_list(caller, lists.NewList(name="bench")))["id"]
        some = phones(CONTACTS)[::2]
        headers = {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json"}
        request = request_bytes(
            "POST", f"/v2/lists/{list_id}/members", headers, orjson.dumps({"phones": some})
        )
        hashes = identities(customer.organization_id, some)
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                await _empty(list_id)
                started = time.perf_counter()
                await db.execute(FLOOR, customer.organization_id, list_id, hashes)
                floor.append(time.perf_counter() - started)
                await _empty(list_id)
                added.append(await _call(api.port, request, added=MEMBERS))
                again.append(await _call(api.port, request, added=0))
    floor, added, again = floor[1:], added[1:], again[1:]
    ratio = statistics.median(one / other for one, other in zip(added, floor, strict=True))
    return Report(
        "list_members",
        rows=[
            Row(name, {"ms": statistics.median(times) * 1000, "best ms": min(times) * 1000})
            for name, times in (
                ("one statement", floor),
                ("the operation", added),
                ("again, all are there", again),
            )
        ],
        goals=[Goal("time against the statement", ratio, "at most", 2)],
        notes=[
            f"{MEMBERS:,} phones in one call, over {CONTACTS:,} contacts; the statement is given their hashes"
        ],
    )


async def _empty(list_id: str) -> None:
    await db.execute("DELETE FROM contact_list_members WHERE list_id = $1", list_id)
    await db.execute("UPDATE contact_lists SET size = 0 WHERE id = $1", list_id)
    await db.execute("VACUUM contact_list_members")


async def _call(port: int, request: bytes, *, added: int) -> float:
    answers = await load(port, [request], concurrency=1, status=200, keep=True)
    moved = orjson.loads(answers.bodies[0])
    assert (moved["matched"], moved["added"], moved["total"]) == (MEMBERS, added, MEMBERS), moved
    return answers.latencies[0]
