"""A page of 200 of every list, against a floor where PostgreSQL writes what the same statements find."""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import repeat

import httpx
from pydantic import BaseModel

from bench.floors.page import ORGANIZATION
from bench.floors.replay import AS_JSON, STATEMENTS, written_in
from bench.kit.heard import Statement, Statements, open_heard
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, rate_ratio, row_of
from bench.questions import read_samples
from bench.questions.rest import path_of
from cli.seed.organization import SeedRequest, seed_organization
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.messaging import close_hours
from rest_api.app import OPERATIONS, create_app

CONCURRENCY = 16
LIMIT = 200
LEAST = 100
"""Items of a page that is worth measuring."""

WARM_UP_SECONDS = 0.3
GOAL = 0.8
COUNTS = {"contacts": 4_000, "companies": 400, "messages": 20_000, "deals": 600}

ON_CHANNEL = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, route, recipient, region, provider, coins, content,
     sender_address, subject, body_bytes, metadata, created_at, sent_at, delivered_at, updated_at)
SELECT 'msg_' || left(md5($2 || id), 21), organization_id, env, $2, direction, 'delivered', $3,
       CASE $2 WHEN 'email' THEN 'cliente@example.com' ELSE recipient END, region, 'svc-sandbox', coins,
       CASE $2 WHEN 'rcs' THEN '{"text": "Seu pedido saiu para entrega"}'::jsonb END,
       CASE $2 WHEN 'email' THEN 'loja@example.com' END, CASE $2 WHEN 'email' THEN 'Seu pedido' END,
       CASE $2 WHEN 'email' THEN 200 END, '{"order": "A-1"}'::jsonb, created_at, created_at, created_at, created_at
FROM messages WHERE organization_id = $1 AND channel = 'sms' AND direction = 'outbound' LIMIT 1000
"""
"""Messages as they are on other channels, of those that were seeded."""


@dataclass(slots=True)
class ListPage:
    """A list, what it asks PostgreSQL, and how many items its page has."""

    name: str
    path: str
    items: int
    statements: list[Statement]
    service: list[Round] = field(default_factory=list)
    floor: list[Round] = field(default_factory=list)

    @property
    def floor_path(self) -> str:
        """Where the floor answers it."""
        return self.name.translate({ord("{"): None, ord("}"): None})


async def measure(house: House) -> Report:
    """Hear what each list asks, then load floor and service in turn, list after list."""
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"seeding {COUNTS}")
        await seed_organization(
            system_caller(customer.organization_id, "test"), SeedRequest(dict(COUNTS))
        )
        for channel, route in (("rcs", "easy_rcs"), ("email", "marketing")):
            await db.execute(ON_CHANNEL, customer.organization_id, channel, route)
        await close_hours()
        await db.execute("VACUUM ANALYZE")
    pages, short = await _hear(customer)
    house.say(f"{len(pages)} lists; {len(short)} have fewer than {LEAST} items")
    told = house.folder / "statements.pickle"
    told.write_bytes(pickle.dumps({page.floor_path: page.statements for page in pages}))
    house.environment |= {ORGANIZATION: customer.organization_id, STATEMENTS: str(told)}
    with ExitStack() as started:
        floor = started.enter_context(house.application("bench.floors.replay:create_app"))
        floor.wait_until_ready()
        service = started.enter_context(house.api())
        service.wait_until_ready()
        for page in pages:
            house.say(page.name)
            for number in range(house.effort.rounds + 1):
                for server, path, rounds in (
                    (floor, page.floor_path, page.floor),
                    (service, page.path, page.service),
                ):
                    result = await load_round(
                        house,
                        server,
                        _gets(customer, path),
                        concurrency=CONCURRENCY,
                        seconds=house.effort.seconds / 2 if number else WARM_UP_SECONDS,
                        status=200,
                    )
                    if number:
                        rounds.append(result)
    return _report(pages, short)


def _report(pages: Sequence[ListPage], short: Sequence[str]) -> Report:
    ratios = {page.name: rate_ratio(page.service, page.floor) for page in pages}
    below = sum(ratio < GOAL for ratio in ratios.values())
    return Report(
        "list_pages",
        rows=[
            row
            for page in pages
            for row in (
                row_of(f"{ratios[page.name]:.2f} {page.name}", page.service),
                row_of("its floor", page.floor),
            )
        ],
        goals=[Goal(f"lists below {GOAL} of their floor", below, "at most", 0)],
        notes=[
            (
                f"GET …?limit={LIMIT} (or what a page has at most), {CONCURRENCY} at once; the floor "
                "writes what the same statements find"
            ),
            f"fewer than {LEAST} items: {', '.join(short)}",
        ],
    )


async def _hear(customer: Customer) -> tuple[list[ListPage], list[str]]:
    """Every list with enough items, and the names of the others."""
    statements = Statements()
    await open_heard(statements)
    try:
        samples = await read_samples(customer.organization_id, "test")
        headers = {"Authorization": f"Bearer {customer.key}"}
        pages: list[ListPage] = []
        short: list[str] = []
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=create_app()), base_url="http://svc", headers=headers
        ) as client:
            for name, path in _lists(samples.ids):
                await client.get(path)  # whose key it is, and what else is remembered
                with statements.heard() as heard:
                    answer = await client.get(path)
                items = answer.json().get("items", ()) if answer.status_code == 200 else ()
                if len(items) < LEAST:
                    short.append(name)
                    continue
                asked = [(await _written(*one), one[1]) for one in heard if _finds(one[0])]
                pages.append(ListPage(name, path, len(items), asked))
        return pages, short
    finally:
        await db.close_database()


def _lists(ids: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for operation in OPERATIONS:
        query = operation.query.model_fields if operation.query else {}
        if operation.method == "GET" and "limit" in query:
            path = path_of(operation, ids)
            yield operation.path, f"{path}?limit={_most(operation.query)}"


def _most(query: type[BaseModel] | None) -> int:
    """How many items a page may have, 200 at most."""
    assert query is not None
    told = query.model_json_schema()["properties"]["limit"]
    mosts = [int(one.get("maximum", LIMIT)) for one in (told, *told.get("anyOf", ()))]
    return min(LIMIT, *mosts)


def _finds(sql: str) -> bool:
    return sql.lstrip().startswith(("SELECT", "WITH"))


async def _written(sql: str, values: tuple[object, ...]) -> str:
    """The statement, where it answers one text or a piece of bytes; else one that writes its rows."""
    rows = await db.fetch(sql, *values)
    is_written = len(rows) == 1 and written_in(rows[0]) is not None
    return sql if is_written else AS_JSON.format(sql)


def _gets(customer: Customer, path: str) -> Iterator[bytes]:
    headers = {"Authorization": f"Bearer {customer.key}", "User-Agent": "bench/1", "Accept": "*/*"}
    return repeat(request_bytes("GET", path, headers, b""))
