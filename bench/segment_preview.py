"""Previewing a segment of three conditions over a million contacts, against its limit of 3 seconds."""

import statistics

import orjson

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row

CONTACTS = 1_000_000

FILTERS = {
    "tag, city and score": [
        {"field": "tag", "operator": "is", "value": "vip"},
        {"field": "attribute.city", "operator": "in", "value": ["São Paulo", "Manaus"]},
        {"field": "attribute.score", "operator": "gte", "value": 50},
    ],
    "not a tag, consent, interaction": [
        {"field": "tag", "operator": "isNot", "value": "vip"},
        {"field": "optIn", "operator": "is", "value": "granted"},
        {"field": "lastInteraction", "operator": "notWithinDays", "value": 30},
    ],
    "part of a text, range, any tag": [
        {"field": "attribute.city", "operator": "contains", "value": "paulo"},
        {"field": "attribute.score", "operator": "between", "value": [10, 90]},
        {"field": "tag", "operator": "exists"},
    ],
}


async def measure(house: House) -> Report:
    """Each filter some times over; the slowest of all is what counts."""
    times: dict[str, list[float]] = {name: [] for name in FILTERS}
    counts: dict[str, int] = {}
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"writing {CONTACTS:,} contacts")
        await fill_contacts(customer.organization_id, CONTACTS)
        headers = {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json"}
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                for name, filters in FILTERS.items():
                    body = orjson.dumps({"filters": filters})
                    request = request_bytes("POST", "/v2/segments/preview", headers, body)
                    answers = await load(api.port, [request], concurrency=1, status=200, keep=True)
                    found = orjson.loads(answers.bodies[0])
                    assert not found["partial"], name
                    assert found["count"], f"{name}: matches nobody, so it measures nothing"
                    counts[name] = found["count"]
                    if number:
                        times[name] += answers.latencies
    return Report(
        "segment_preview",
        rows=[
            Row(
                name,
                {
                    "ms": statistics.median(of_one) * 1000,
                    "slowest ms": max(of_one) * 1000,
                    "found": counts[name],
                },
            )
            for name, of_one in times.items()
        ],
        goals=[Goal("slowest preview, in seconds", max(map(max, times.values())), "at most", 3)],
        notes=[
            f"POST /v2/segments/preview over {CONTACTS:,} contacts of one organization, counted exactly"
        ],
    )
