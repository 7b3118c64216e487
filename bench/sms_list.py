"""Listing 200 SMS out of a million, against one statement that writes the whole page."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import repeat

from bench.floors.page import ORGANIZATION
from bench.floors.page import PATH as FLOOR_PATH
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, p99_ratio, rate_ratio, row_of
from core.foundation.database import db

CONCURRENCY = 16
MESSAGES = 1_000_000
WARM_UP_SECONDS = 0.7
PATH = "/v2/sms/messages?limit=200"

FILL = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, route, recipient, region, provider, provider_reference,
     provider_receipt, encoding, length, segments, coins, metadata, created_at, sent_at, delivered_at, updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, 'test', 'sms', 'outbound', 'delivered', 'premium',
       '+55119' || lpad((n % 100000000)::text, 8, '0'), 'BR', 'svc-sandbox', 'sbx_' || lpad(n::text, 21, '0'),
       jsonb_build_object('id', 'sbx_' || lpad(n::text, 21, '0'), 'type', 'api_message', 'status', 'DELIVRD',
                          'to', '+55119' || lpad((n % 100000000)::text, 8, '0'),
                          'statusDescription', 'Delivered to the handset', 'channel', 'SMS'),
       'GSM-7', 34, 1, 800, jsonb_build_object('order', 'A-' || n, 'attempt', 1),
       at, at, at + interval '3 s', at + interval '3 s'
FROM (SELECT n, timestamptz '2026-01-01 00:00Z' + n * interval '7 s' AS at FROM generate_series(1, $2::int) AS n) AS s
"""


async def measure(house: House) -> Report:
    """Rounds of floor and service in turn, many at once and one at a time."""
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"writing {MESSAGES:,} messages")
        await db.execute(FILL, customer.organization_id, MESSAGES)
        await db.execute("VACUUM ANALYZE messages")
    house.environment[ORGANIZATION] = customer.organization_id
    with ExitStack() as started:
        floor = started.enter_context(house.application("bench.floors.page:create_app"))
        service = started.enter_context(house.api())
        for server in (floor, service):
            server.wait_until_ready()
        rounds: dict[tuple[str, int], list[Round]] = {}
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for concurrency in (CONCURRENCY, 1):
                for name, server, path in (
                    ("floor", floor, FLOOR_PATH),
                    ("service", service, PATH),
                ):
                    result = await load_round(
                        house,
                        server,
                        _gets(customer, path),
                        concurrency=concurrency,
                        seconds=house.effort.seconds if number else WARM_UP_SECONDS,
                        status=200,
                    )
                    if number:
                        rounds.setdefault((name, concurrency), []).append(result)
    return Report(
        "sms_list",
        rows=[
            row_of(f"{name}, {concurrency} at once", of_one)
            for (name, concurrency), of_one in rounds.items()
        ],
        goals=[
            Goal(
                f"{CONCURRENCY} at once: rate against the floor",
                rate_ratio(rounds["service", CONCURRENCY], rounds["floor", CONCURRENCY]),
                "at least",
                0.8,
            ),
            Goal(
                "1 at once: p99 against the floor",
                p99_ratio(rounds["service", 1], rounds["floor", 1]),
                "at most",
                3,
            ),
        ],
        notes=[f"GET {PATH} with phones unmasked, of {MESSAGES:,} messages, with the exact total"],
    )


def _gets(customer: Customer, path: str) -> Iterator[bytes]:
    headers = {"Authorization": f"Bearer {customer.key}", "User-Agent": "bench/1", "Accept": "*/*"}
    return repeat(request_bytes("GET", path, headers, b""))
