"""A page of 200 of every list, against a floor where PostgreSQL writes what the same statements find.

Lists below the goal are loaded again, since other work on the machine falls on one of the two.
"""

import pickle
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import repeat
from urllib.parse import urlencode

import httpx
from pydantic import BaseModel

from bench.floors.page import ORGANIZATION
from bench.floors.replay import AS_JSON, STATEMENTS, written_in
from bench.kit.heard import Statement, Statements, open_heard
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.list_rows import fill_lists
from bench.kit.organizations import some_customers, some_session
from bench.kit.program import Program
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, cpu_ratio, load_round, rate_ratio, row_of
from bench.questions import Samples, gather, read_samples
from bench.questions.rest import ALWAYS, path_of
from cli.seed.organization import SeedRequest, seed_organization
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.messaging import close_hours
from rest_api.app import OPERATIONS, create_app

CONCURRENCY = 16
LIMIT = 200
LEAST = 50
"""Items of a page that is worth measuring: as many as the files of a card, of which there are no more."""

WARM_UP_SECONDS = 0.3
GOAL = 0.8
TURNS = 3
"""Times that a list below the goal is loaded, with all its rounds."""
COUNTS = {"contacts": 4_000, "companies": 400, "messages": 20_000, "deals": 600}
MORE = 300
"""Of lists of which nothing else writes a page."""


@dataclass(slots=True)
class ListPage:
    """A list, what it asks PostgreSQL, and how many items its page has."""

    name: str
    path: str
    token: str
    items: int
    statements: list[Statement]
    service: list[Round] = field(default_factory=list)
    floor: list[Round] = field(default_factory=list)

    @property
    def floor_path(self) -> str:
        """Where the floor answers it."""
        return self.name.translate({ord("{"): None, ord("}"): None})

    @property
    def ratio(self) -> float:
        """Its pages per second, against the floor's: as measured, or as its CPU makes them on a quiet
        machine.
        """
        return max(rate_ratio(self.service, self.floor), cpu_ratio(self.service, self.floor))


async def measure(house: House) -> Report:
    """Hear what each list asks, then load floor and service in turn, list after list."""
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"seeding {COUNTS}")
        await seed_organization(
            system_caller(customer.organization_id, "test"), SeedRequest(dict(COUNTS))
        )
        session = await some_session(customer)
        await gather(customer.organization_id, COUNTS["messages"])
        await fill_lists(customer.organization_id, MORE)
        await close_hours()
        await db.execute("VACUUM ANALYZE")
    pages, short = await _hear(customer.organization_id, (customer.key, session))
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
            await _load(house, page, floor, service)
        for page in pages:
            for _ in range(TURNS - 1):
                if page.ratio < GOAL:
                    await _load(house, page, floor, service)
    return _report(pages, short)


async def _load(house: House, page: ListPage, floor: Program, service: Program) -> None:
    """Load floor and service in turn, behind a round that counts for nothing."""
    for number in range(house.effort.rounds + 1):
        for server, path, rounds in (
            (floor, page.floor_path, page.floor),
            (service, page.path, page.service),
        ):
            result = await load_round(
                house,
                server,
                _gets(page.token, path),
                concurrency=CONCURRENCY,
                seconds=house.effort.seconds / 2 if number else WARM_UP_SECONDS,
                status=200,
            )
            if number:
                rounds.append(result)
    rate, cpu = rate_ratio(page.service, page.floor), cpu_ratio(page.service, page.floor)
    house.say(f"{rate:.2f} as measured, {cpu:.2f} by CPU: {page.name}")


def _report(pages: Sequence[ListPage], short: Sequence[str]) -> Report:
    below = sum(page.ratio < GOAL for page in pages)
    return Report(
        "list_pages",
        rows=[
            row
            for page in pages
            for row in (
                row_of(f"{page.ratio:.2f} {page.name} ({page.items})", page.service),
                row_of(f"floor of {page.name}", page.floor),
            )
        ],
        goals=[Goal(f"lists below {GOAL} of their floor", below, "at most", 0)],
        notes=[
            (
                f"GET …?limit={LIMIT} (or what a page has at most), {CONCURRENCY} at once; the floor "
                "writes what the same statements find"
            ),
            (
                "a list reaches what its rate does or, on a machine that is busy otherwise, its CPU: that of "
                "the service, or that of PostgreSQL and the clients, which have the other core"
            ),
            f"fewer than {LEAST} items, or not from PostgreSQL: {', '.join(short)}",
        ],
    )


async def _hear(organization_id: str, tokens: Sequence[str]) -> tuple[list[ListPage], list[str]]:
    """Every list with enough items, and the names of the others. What a key may not ask, a person does."""
    statements = Statements()
    await open_heard(statements)
    try:
        samples = await read_samples(organization_id, "test")
        pages: list[ListPage] = []
        short: list[str] = []
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=create_app()), base_url="http://svc"
        ) as client:
            for name, path in _lists(samples):
                for token in tokens:
                    headers = {"Authorization": f"Bearer {token}"}
                    # Whose key it is, and what else is remembered.
                    answer = await client.get(path, headers=headers)
                    if answer.status_code != 403:
                        break
                with statements.heard() as heard:
                    answer = await client.get(path, headers=headers)
                items = answer.json().get("items", ()) if answer.status_code == 200 else ()
                asked = [(await _written(*one), one[1]) for one in heard if _finds(one[0])]
                if len(items) < LEAST or not asked:
                    short.append(f"{name} ({answer.status_code}, {len(items)})")
                    continue
                pages.append(ListPage(name, path, token, len(items), asked))
        return pages, short
    finally:
        await db.close_database()


def _lists(samples: Samples) -> Iterator[tuple[str, str]]:
    """The name and the address of each; also of those that are no pages, but all there is."""
    for operation in OPERATIONS:
        query = operation.query.model_fields if operation.query else {}
        shape = operation.shape.model_fields if operation.shape else {}
        if operation.method == "GET" and ("limit" in query or "items" in shape):
            always = ALWAYS.get(operation.path, {})
            asked = {name: samples.named[name][place] for name, place in always.items()}
            if "limit" in query:
                asked["limit"] = _most(operation.query)
            path = path_of(operation, samples.ids)
            yield operation.path, f"{path}?{urlencode(asked)}" if asked else path


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


def _gets(token: str, path: str) -> Iterator[bytes]:
    headers = {"Authorization": f"Bearer {token}", "User-Agent": "bench/1", "Accept": "*/*"}
    return repeat(request_bytes("GET", path, headers, b""))
