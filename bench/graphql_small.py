"""One contact's name over GraphQL, against the REST read of the contact."""

import statistics
from itertools import cycle

import orjson

from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, row_of
from core.foundation.database import db

CONCURRENCY = 16
CONTACTS = 1_000
WARM_UP_SECONDS = 0.7
DOCUMENT = "query Name($id: ID!) { contact(id: $id) { name } }"


async def measure(house: House) -> Report:
    """Rounds of both entry points of one process in turn."""
    async with house.database():
        [customer] = await some_customers(1)
        await fill_contacts(customer.organization_id, CONTACTS)
        ids = [row["id"] for row in await db.fetch("SELECT id FROM contacts ORDER BY id")]
    rounds: dict[str, list[Round]] = {}
    entry_points = {
        "REST": [_get(customer, id) for id in ids],
        "GraphQL": [_post(customer, id) for id in ids],
    }
    with house.api() as api:
        api.wait_until_ready()
        await _check(api.port, entry_points["REST"][0], entry_points["GraphQL"][0])
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for name, requests in entry_points.items():
                result = await load_round(
                    house,
                    api,
                    cycle(requests),
                    concurrency=CONCURRENCY,
                    seconds=house.effort.seconds if number else WARM_UP_SECONDS,
                    status=200,
                )
                if number:
                    rounds.setdefault(name, []).append(result)
    return Report(
        "graphql_small",
        rows=[row_of(f"{name}, {CONCURRENCY} at once", of_one) for name, of_one in rounds.items()],
        goals=[
            Goal(
                "server CPU per request, GraphQL against REST",
                statistics.median(
                    graphql.server_cpu / rest.server_cpu
                    for graphql, rest in zip(rounds["GraphQL"], rounds["REST"], strict=True)
                ),
                "at most",
                2.5,
            )
        ],
        notes=[f"contact(id) {{name}} and GET /contacts/{{id}}, of {CONTACTS:,} contacts in turn"],
    )


async def _check(port: int, rest: bytes, graphql: bytes) -> None:
    """Both entry points tell the same name."""
    answers = await load(port, [rest, graphql], concurrency=1, status=200, keep=True)
    contact, page = (orjson.loads(body) for body in answers.bodies)
    assert page["data"] == {"contact": {"name": contact["name"]}}, page


def _get(customer: Customer, id: str) -> bytes:
    headers = {"Authorization": f"Bearer {customer.key}", "User-Agent": "bench/1", "Accept": "*/*"}
    return request_bytes("GET", f"/contacts/{id}", headers, b"")


def _post(customer: Customer, id: str) -> bytes:
    headers = {
        "Authorization": f"Bearer {customer.key}",
        "Content-Type": "application/json",
        "User-Agent": "bench/1",
        "Accept": "*/*",
    }
    return request_bytes(
        "POST", "/graphql", headers, orjson.dumps({"query": DOCUMENT, "variables": {"id": id}})
    )
