"""A page of 200 contacts by tag, by cursor: behind the first contact, and behind the 900,000th of a
million.
"""

import statistics
from itertools import repeat

import orjson

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, row_of

CONTACTS = 1_000_000
DEPTHS = (1, 900_000)
WARM_UP_SECONDS = 0.7
PATH = "/contacts?tag=cliente"


async def measure(house: House) -> Report:
    """Rounds of both pages in turn, one request at a time."""
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"writing {CONTACTS:,} contacts")
        await fill_contacts(customer.organization_id, CONTACTS)
    rounds: dict[int, list[Round]] = {depth: [] for depth in DEPTHS}
    with house.api() as api:
        api.wait_until_ready()
        pages = {depth: await _page_behind(api.port, customer, depth) for depth in DEPTHS}
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for depth, page in pages.items():
                seconds = house.effort.seconds if number else WARM_UP_SECONDS
                result = await load_round(
                    house, api, repeat(page), concurrency=1, seconds=seconds, status=200
                )
                if number:
                    rounds[depth].append(result)
    first, deep = (rounds[depth] for depth in DEPTHS)
    ratio = statistics.median(far.p50 / near.p50 for near, far in zip(first, deep, strict=True))
    return Report(
        "contact_pages",
        rows=[row_of(f"at depth {depth:,}", of_one) for depth, of_one in rounds.items()],
        goals=[Goal("time at depth 900,000 against depth 1", ratio, "at most", 1.2)],
        notes=[f"GET {PATH}&limit=200&cursor=…, of {CONTACTS:,} contacts that all have the tag"],
    )


async def _page_behind(port: int, customer: Customer, depth: int) -> bytes:
    """The request for the page behind so many contacts; the place is found once, by skipping."""
    before = _get(customer, f"{PATH}&limit=1&skip={depth - 1}")
    answers = await load(port, [before], concurrency=1, status=200, keep=True)
    cursor = orjson.loads(answers.bodies[0])["nextCursor"]
    return _get(customer, f"{PATH}&limit=200&cursor={cursor}")


def _get(customer: Customer, path: str) -> bytes:
    return request_bytes("GET", path, {"Authorization": f"Bearer {customer.key}"}, b"")
