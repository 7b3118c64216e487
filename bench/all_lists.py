"""Every list with every filter and order, every statistic, and what the console asks, of a million
messages: which take 100 ms or more. Asked by their owner, deep in its lists too, and by a small
neighbour.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.kit.heard import Statements, open_heard
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers, some_session
from bench.kit.report import Goal, Report, Row
from bench.questions import (
    BY_NATURE,
    Question,
    Samples,
    console_questions,
    gather,
    graphql_questions,
    is_by_nature,
    previews,
    read_samples,
    rest_questions,
)
from bench.questions.deep import deeper, next_page
from cli.seed.organization import SeedRequest, seed_organization
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.messaging import close_hours
from core.wallet import sum_days
from rest_api.app import create_app

LIMIT_MS = 100.0
LARGE = 50_000
"""Rows from which on a table is not to be read from its beginning to its end."""
REFUSED = (400, 403)
SMALL = 60
"""Messages of the neighbour."""
AGAIN_MS = 2_000.0
"""What takes longer is asked once."""
TURNS = 3
"""Times that a question is asked which was slow the first time; the fastest is what it takes."""


@dataclass(slots=True)
class Asked:
    """What a question took, and which large tables it read whole."""

    name: str
    status: int
    ms: float
    answer: Any = None
    scanned: set[str] = field(default_factory=set)

    @property
    def is_slow(self) -> bool:
        """Whether it takes long though it need not."""
        return self.ms >= LIMIT_MS and not is_by_nature(self.name, self.scanned, long=True)

    @property
    def is_scan(self) -> bool:
        """Whether it reads a large table whole though it need not."""
        return bool(self.scanned) and not is_by_nature(self.name, self.scanned, long=False)


@dataclass(frozen=True, slots=True)
class Client:
    """Asks with a key and, where that is refused, with the session of a person."""

    service: httpx.AsyncClient
    tokens: tuple[str, str]

    async def ask(self, question: Question) -> tuple[int, float, Any]:
        """The status of an answer, 400 where GraphQL refused; after how many milliseconds; the answer."""
        for token in self.tokens:
            status, ms, told = await self._ask(question, token)
            if status not in REFUSED:
                break
        return status, ms, told

    async def _ask(self, question: Question, token: str) -> tuple[int, float, Any]:
        begin = time.perf_counter()
        answer = await self.service.request(
            "GET" if question.body is None else "POST",
            question.path,
            json=question.body,
            headers={"Authorization": f"Bearer {token}"},
        )
        ms = (time.perf_counter() - begin) * 1000
        told = answer.json()
        refused = question.body is not None and "errors" in told
        return (400 if refused else answer.status_code), ms, told


async def measure(house: House) -> Report:
    """Seed what is not there yet, ask everything, and look at the plans of what was asked."""
    messages = house.effort.messages
    async with house.database():
        large = await _customer(house, "customer", messages)
        small = await _customer(house, "neighbour", SMALL)
    statements = Statements()
    await open_heard(statements)
    try:
        tables = {
            row["relname"]
            for row in await db.fetch(
                "SELECT relname FROM pg_class "
                "WHERE relkind = 'r' AND reltuples >= $1 AND relnamespace = current_schema()::text::regnamespace",
                LARGE,
            )
        }
        house.say(f"large are {', '.join(sorted(tables))}")
        asked = [
            one
            for name, customer in (("", large), ("small: ", small))
            for one in await _ask_all(house, customer, name, statements, tables)
        ]
    finally:
        await db.close_database()
    return _report(asked, messages)


async def _ask_all(
    house: House, customer: Customer, name: str, statements: Statements, large: set[str]
) -> list[Asked]:
    """Every question of one customer, and the pages deep in the lists of the plain ones."""
    samples = await read_samples(customer.organization_id, "test")
    questions = list(_questions(samples))
    house.say(f"{name}asking {len(questions)} questions")
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    asked: list[Asked] = []
    async with httpx.AsyncClient(
        transport=transport, base_url="http://svc", timeout=600
    ) as service:
        client = Client(service, (customer.key, await some_session(customer)))
        for question in questions:
            one = await _ask(client, question, statements, large)
            asked.append(one)
            cursor = next_page(one.answer)
            if cursor is not None:
                further = question.behind(deeper(cursor, samples))
                asked.append(await _ask(client, further, statements, large))
    for one in asked:
        one.name = f"{name}{one.name}"
        one.answer = None
    told = [[one.name, one.status, round(one.ms, 1), sorted(one.scanned)] for one in asked]
    (house.folder / f"asked{name[:5]}.json").write_text(json.dumps(told, indent=0))
    return asked


def _questions(samples: Samples) -> Iterator[Question]:
    yield from rest_questions(samples)
    yield from previews(samples)
    yield from graphql_questions(samples)
    yield from console_questions(samples)


def _report(asked: list[Asked], messages: int) -> Report:
    shown = [one for one in asked if one.ms >= LIMIT_MS or one.scanned or one.status >= 500]
    statuses = Counter(one.status for one in asked)
    return Report(
        "all_lists",
        rows=[Row(_told(one), {"ms": one.ms}) for one in sorted(shown, key=lambda one: -one.ms)],
        goals=[
            Goal(
                f"questions of {LIMIT_MS:.0f} ms and more, but those by nature",
                sum(one.is_slow for one in asked),
                "at most",
                0,
            ),
            Goal(
                "questions that read a large table whole, but those by nature",
                sum(one.is_scan for one in asked),
                "at most",
                0,
            ),
        ],
        notes=[
            f"{len(asked)} questions to an organization of {messages:,} messages, answered {dict(statuses)}",
            f"{sum(one.ms >= LIMIT_MS for one in asked)} of them took {LIMIT_MS:.0f} ms and more",
            f"read whole: {_scans_by_table(asked)}",
            f"by nature is what bench/questions/by_nature.py names; not needed of them: {_unneeded(asked)}",
        ],
    )


def _told(one: Asked) -> str:
    """A question as its row calls it: with the tables that it reads whole, and whether that is a fault."""
    scans = f" (scans {', '.join(sorted(one.scanned))})" if one.scanned else ""
    return f"{one.name}{scans}{' !' if one.is_slow or one.is_scan else ''}"


def _scans_by_table(asked: list[Asked]) -> str:
    """By how many questions each table is read whole."""
    tables = Counter(table for one in asked for table in one.scanned)
    return ", ".join(f"{table} {number}" for table, number in tables.most_common())


def _unneeded(asked: list[Asked]) -> str:
    """The exceptions that no question of this run was one of."""
    unneeded = [
        named.questions
        for named in BY_NATURE
        if not any(
            named.covers(one.name, one.scanned) and (one.scanned or one.ms >= LIMIT_MS)
            for one in asked
        )
    ]
    return ", ".join(unneeded) or "none"


async def _customer(house: House, name: str, messages: int) -> Customer:
    """The one whose data were kept, or a new one with so many messages."""
    kept = house.folder / f"{name}.json"
    if not kept.exists():
        [customer] = await some_customers(1)
        await _seed(house, customer, messages)
        kept.write_text(
            json.dumps({"organization_id": customer.organization_id, "key": customer.key})
        )
    return Customer(**json.loads(kept.read_text()))


async def _seed(house: House, customer: Customer, messages: int) -> None:
    counts = {
        "contacts": messages // 10,
        "companies": messages // 200,
        "messages": messages,
        "deals": messages // 50,
    }
    house.say(f"seeding {counts}")
    wish = SeedRequest(counts)
    await seed_organization(system_caller(customer.organization_id, "test"), wish)
    house.say("and what else is gathered over the years")
    await gather(customer.organization_id, messages)
    await _do_the_clocks_work()
    await db.execute("VACUUM ANALYZE")


async def _do_the_clocks_work() -> None:
    """Close the hours and sum up the wallets, as the clock of an installation has long done by
    then.
    """
    await close_hours()
    while await close_hours():
        pass
    await sum_days()


async def _ask(
    client: Client, question: Question, statements: Statements, large: set[str]
) -> Asked:
    with statements.heard() as heard:
        status, ms, answer = await client.ask(question)
    for _ in range(TURNS - 1 if LIMIT_MS / 2 <= ms < AGAIN_MS else 0):
        status, again, _ = await client.ask(question)
        ms = min(ms, again)
    scanned = {table for sql, values in heard for table in await _scanned(sql, values)}
    return Asked(question.name, status, ms, answer, scanned & large)


async def _scanned(sql: str, values: tuple[Any, ...]) -> set[str]:
    """The tables that PostgreSQL would read from their beginning to their end."""
    if not re.match(r"\s*(SELECT|WITH)\b", sql):
        return set()
    plan = await db.fetchval(f"EXPLAIN (FORMAT JSON) {sql}", *values)
    return set(_scans(json.loads(plan)[0]["Plan"]))


def _scans(node: dict[str, Any]) -> Iterator[str]:
    if node["Node Type"] == "Seq Scan":
        yield node["Relation Name"]
    for below in node.get("Plans", ()):
        yield from _scans(below)
