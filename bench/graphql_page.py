"""The dashboard's page over GraphQL, against one statement that writes the whole JSON."""

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import orjson

from bench.floors.dashboard import CONTACTS as FIRST
from bench.floors.dashboard import MESSAGES as FIRST_MESSAGES
from bench.floors.dashboard import PATH as FLOOR_PATH
from bench.floors.dashboard import PATH_WITH_TOTAL as FLOOR_PATH_WITH_TOTAL
from bench.floors.dashboard import TAG
from bench.floors.page import ORGANIZATION
from bench.kit.base import fill_contacts
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import Customer, some_customers
from bench.kit.program import Program
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, p99_ratio, rate_ratio, row_of
from core import organizations
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Scope, system_caller

CONCURRENCY = 16
CONTACTS = 100_000
COMPANIES = 5_000
MESSAGES = 1_000_000
WARM_UP_SECONDS = 0.7

FILL_COMPANIES = """
INSERT INTO companies
    (id, organization_id, env, name, cnpj, sector, site, attributes, created_by_id, created_at, updated_at)
SELECT 'emp_' || lpad(n::text, 21, '0'), $1, 'test', 'Empresa ' || n || ' Ltda.', NULL, 'Varejo',
       'https://empresa' || n || '.example.com', '{"porte": "media"}', 'acc_' || lpad('1', 21, '0'), at, at
FROM (SELECT n, timestamptz '2024-06-01 00:00Z' + n * interval '1 min' AS at
      FROM generate_series(0, $2::int - 1) AS n) AS s
"""
# Every fifth contact has the tag. Rewritten afterwards, the table is as dense as one that was
# written once.
GIVE_COMPANIES_AND_TAGS = f"""
UPDATE contacts SET company_id = 'emp_' || lpad((right(id, 6)::int % $1)::text, 21, '0'),
       tags = CASE WHEN right(id, 6)::int % 5 = 0 THEN ARRAY['cliente', '{TAG}'] ELSE ARRAY['cliente'] END
"""
# A contact's messages lie far apart, as they do where many are written to; each twentieth was not
# delivered yet.
FILL_MESSAGES = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, route, recipient, region, provider, provider_reference,
     encoding, length, segments, coins, contact_id, metadata, created_at, sent_at, delivered_at, updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, 'test', 'sms', 'outbound',
       CASE WHEN n / 13 % 20 = 0 THEN 'sent' ELSE 'delivered' END, 'premium',
       '+55119' || 80000000 + whose, 'BR', 'svc-sandbox', 'sbx_' || lpad(n::text, 21, '0'),
       'GSM-7', 34, 1, 800, 'cnt_' || lpad(whose::text, 21, '0'),
       jsonb_build_object('order', 'A-' || n, 'attempt', 1),
       at, at, CASE WHEN n / 13 % 20 > 0 THEN at + interval '3 s' END, at + interval '3 s'
FROM (SELECT n, n * 7919::bigint % $3 AS whose, timestamptz '2026-01-01 00:00Z' + n * interval '7 s' AS at
      FROM generate_series(1, $2::int) AS n) AS s
"""

LEAVES = "id name phone email tags createdAt optIn { status } company { id nome site }"
MESSAGE_LEAVES = "id channel status to createdAt deliveredAt"
DOCUMENT = f"""
query Dashboard($tag: String!) {{
  contacts(first: {FIRST}, filter: {{tag: $tag}}) {{
    %snodes {{ {LEAVES} messages(first: {FIRST_MESSAGES}) {{ nodes {{ {MESSAGE_LEAVES} }} }} }}
  }}
}}
"""


class OtherData(Exception):
    """Floor and gateway do not answer the same, so that their times say nothing about each other."""


@dataclass(frozen=True, slots=True)
class Page:
    """The same page of both servers."""

    floor: str
    document: str


WITH_TOTAL = "with totalCount"
WITHOUT_TOTAL = "without"
PAGES = {
    WITH_TOTAL: Page(FLOOR_PATH_WITH_TOTAL, DOCUMENT % "totalCount "),
    WITHOUT_TOTAL: Page(FLOOR_PATH, DOCUMENT % ""),
}


async def measure(house: House) -> Report:
    """Rounds of floor and gateway in turn, many at once and one at a time."""
    async with house.database():
        [customer] = await some_customers(1)
        masked = await _without_personal_data(customer)
        house.say(
            f"writing {CONTACTS:,} contacts of {COMPANIES:,} companies and {MESSAGES:,} messages"
        )
        await _fill(customer.organization_id)
    house.environment[ORGANIZATION] = customer.organization_id
    with ExitStack() as started:
        floor = started.enter_context(house.application("bench.floors.dashboard:create_app"))
        gateway = started.enter_context(house.api())
        for server in (floor, gateway):
            server.wait_until_ready()
        for page in PAGES.values():
            await _check(floor, gateway, page, customer, masked)
        rounds: dict[tuple[str, str, int], list[Round]] = {}
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for name, page in PAGES.items():
                for concurrency in (CONCURRENCY, 1):
                    for who, server, request in (
                        ("floor", floor, _get(page.floor)),
                        ("gateway", gateway, _post(customer, page.document)),
                        ("gateway, masked", gateway, _post(masked, page.document)),
                    ):
                        result = await load_round(
                            house,
                            server,
                            repeat(request),
                            concurrency=concurrency,
                            seconds=house.effort.seconds if number else WARM_UP_SECONDS,
                            status=200,
                        )
                        if number:
                            rounds.setdefault((name, who, concurrency), []).append(result)
    return Report(
        "graphql_page",
        rows=[
            row_of(f"{who}, {name}, {concurrency} at once", of_one)
            for (name, who, concurrency), of_one in rounds.items()
        ],
        goals=[
            *(
                Goal(
                    f"{CONCURRENCY} at once, {name}: pages per second against the floor",
                    rate_ratio(
                        rounds[name, "gateway", CONCURRENCY], rounds[name, "floor", CONCURRENCY]
                    ),
                    "at least",
                    limit,
                )
                for name, limit in ((WITH_TOTAL, 0.9), (WITHOUT_TOTAL, 0.75))
            ),
            *(
                Goal(
                    f"1 at once, {name}: p99 against the floor",
                    p99_ratio(rounds[name, "gateway", 1], rounds[name, "floor", 1]),
                    "at most",
                    3,
                )
                for name in PAGES
            ),
        ],
        notes=[
            f"the first {FIRST} of {CONTACTS:,} contacts with a tag that every fifth has, company, last messages",
            f"{FIRST_MESSAGES} messages each, of {MESSAGES:,}; floor and gateway were seen to answer the same data",
            "masked: a key without pii:full; the floor masks nothing",
        ],
    )


async def _fill(organization_id: str) -> None:
    await fill_contacts(organization_id, CONTACTS)
    await db.execute(FILL_COMPANIES, organization_id, COMPANIES)
    await db.execute(GIVE_COMPANIES_AND_TAGS, COMPANIES)
    await db.execute("VACUUM (FULL, ANALYZE) contacts")
    await db.execute("VACUUM ANALYZE contacts")
    await db.execute(FILL_MESSAGES, organization_id, MESSAGES, CONTACTS)
    await db.execute("VACUUM ANALYZE companies")
    await db.execute("VACUUM ANALYZE messages")


async def _without_personal_data(customer: Customer) -> Customer:
    scopes: list[Scope] = [scope for scope in KEY_SCOPES if scope != Scope.PII_FULL]
    new = organizations.NewKey(name="masked", env="test", scopes=scopes)
    issued = await organizations.issue_key(system_caller(customer.organization_id, "test"), new)
    return Customer(customer.organization_id, issued["key"])


async def _check(
    floor: Program, gateway: Program, page: Page, customer: Customer, masked: Customer
) -> None:
    """Both answer the same page; and, but for masks, so does the gateway to a key that may not see
    everything.
    """
    wanted = await _answer(floor, _get(page.floor))
    if len(wanted["data"]["contacts"]["nodes"]) != FIRST:
        raise OtherData("The floor's page is not full")
    given, hidden = [
        await _answer(gateway, _post(who, page.document)) for who in (customer, masked)
    ]
    if _data(given) != wanted["data"]:
        raise OtherData(_difference(given, wanted))
    if _data(hidden) == wanted["data"] or _skeleton(_data(hidden)) != _skeleton(wanted["data"]):
        raise OtherData("The key without pii:full sees other contacts, or phones")


def _data(answer: dict[str, Any]) -> dict[str, Any]:
    if "errors" in answer:
        raise OtherData(f"The gateway refuses: {answer['errors'][:2]}")
    data: dict[str, Any] = answer["data"]
    return data


def _skeleton(data: dict[str, Any]) -> list[Any]:
    nodes = data["contacts"]["nodes"]
    return [
        (node["id"], node["company"], [message["id"] for message in node["messages"]["nodes"]])
        for node in nodes
    ]


def _difference(given: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The first contact that differs; all of this is made up."""
    for one, other in zip(
        given["data"]["contacts"]["nodes"], wanted["data"]["contacts"]["nodes"], strict=False
    ):
        if one != other:
            return f"The gateway answers {one}, the floor {other}"
    return "Another number of contacts, or another total"


async def _answer(server: Program, request: bytes) -> dict[str, Any]:
    answers = await load(server.port, [request], concurrency=1, status=200, keep=True)
    answer: dict[str, Any] = orjson.loads(answers.bodies[0])
    return answer


def _get(path: str) -> bytes:
    return request_bytes("GET", path, {"User-Agent": "bench/1", "Accept": "*/*"}, b"")


def _post(customer: Customer, document: str) -> bytes:
    headers = {
        "Authorization": f"Bearer {customer.key}",
        "Content-Type": "application/json",
        "User-Agent": "bench/1",
        "Accept": "*/*",
    }
    return request_bytes(
        "POST", "/graphql", headers, orjson.dumps({"query": document, "variables": {"tag": TAG}})
    )
