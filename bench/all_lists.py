"""Every list with every filter and order, and every statistic, of a million messages: which take
100 ms or more.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.kit.heard import Statements, open_heard
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report, Row
from bench.questions import Question, graphql_questions, read_samples, rest_questions
from cli.seed.organization import SeedRequest, seed_organization
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.messaging import close_hours
from core.wallet import sum_days
from rest_api.app import create_app

LIMIT_MS = 100.0
LARGE = 50_000
"""Rows from which on a table is not to be read from its beginning to its end."""
TURNS = 3
"""Times that a question is asked which was slow the first time; the fastest is what it takes."""


@dataclass(slots=True)
class Asked:
    """What a question took, and which large tables it read whole."""

    name: str
    status: int
    ms: float
    scanned: set[str] = field(default_factory=set)


async def measure(house: House) -> Report:
    """Seed what is not there yet, ask everything, and look at the plans of what was asked."""
    async with house.database():
        customer = await _customer(house)
        await _seed(house, customer)
    statements = Statements()
    await open_heard(statements)
    try:
        samples = await read_samples(customer.organization_id, "test")
        questions = [*rest_questions(samples), *graphql_questions(samples)]
        house.say(f"asking {len(questions)} questions")
        large = {
            row["relname"]
            for row in await db.fetch(
                "SELECT relname FROM pg_class "
                "WHERE relkind = 'r' AND reltuples >= $1 AND relnamespace = current_schema()::text::regnamespace",
                LARGE,
            )
        }
        headers = {"Authorization": f"Bearer {customer.key}"}
        transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://svc", headers=headers, timeout=600
        ) as client:
            asked = [await _ask(client, question, statements, large) for question in questions]
    finally:
        await db.close_database()
    return _report(asked, house.effort.messages)


def _report(asked: list[Asked], messages: int) -> Report:
    shown = [one for one in asked if one.ms >= LIMIT_MS or one.scanned or one.status >= 500]
    slow = sum(one.ms >= LIMIT_MS for one in asked)
    scans = sum(bool(one.scanned) for one in asked)
    statuses = {
        status: sum(one.status == status for one in asked)
        for status in sorted({one.status for one in asked})
    }
    return Report(
        "all_lists",
        rows=[
            Row(
                f"{one.name}{f' (scans {chr(44).join(sorted(one.scanned))})' if one.scanned else ''}",
                {"ms": one.ms},
            )
            for one in sorted(shown, key=lambda one: -one.ms)
        ],
        goals=[
            Goal(f"questions of {LIMIT_MS:.0f} ms and more", slow, "at most", 0),
            Goal("questions that read a large table whole", scans, "at most", 0),
        ],
        notes=[
            f"{len(asked)} questions to an organization of {messages:,} messages, answered {statuses}"
        ],
    )


async def _customer(house: House) -> Customer:
    """The one whose data were kept, or a new one."""
    kept = house.folder / "customer.json"
    if not kept.exists():
        [customer] = await some_customers(1)
        kept.write_text(
            json.dumps({"organization_id": customer.organization_id, "key": customer.key})
        )
    return Customer(**json.loads(kept.read_text()))


async def _seed(house: House, customer: Customer) -> None:
    messages = house.effort.messages
    counts = {
        "contacts": messages // 10,
        "companies": messages // 200,
        "messages": messages,
        "deals": messages // 50,
    }
    house.say(f"seeding {counts}")
    wish = SeedRequest(counts)
    await seed_organization(system_caller(customer.organization_id, "test"), wish)
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
    client: httpx.AsyncClient, question: Question, statements: Statements, large: set[str]
) -> Asked:
    with statements.heard() as heard:
        status, ms = await _time(client, question)
    for _ in range(TURNS - 1 if ms >= LIMIT_MS / 2 else 0):
        status, again = await _time(client, question)
        ms = min(ms, again)
    scanned = {table for sql, values in heard for table in await _scanned(sql, values)}
    return Asked(question.name, status, ms, scanned & large)


async def _time(client: httpx.AsyncClient, question: Question) -> tuple[int, float]:
    begin = time.perf_counter()
    if question.body is None:
        answer = await client.get(question.path)
    else:
        answer = await client.post(question.path, json=question.body)
    ms = (time.perf_counter() - begin) * 1000
    refused = question.body is not None and "errors" in answer.json()
    return (400 if refused else answer.status_code), ms


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
