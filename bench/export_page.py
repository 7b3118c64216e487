"""A page of 1,000 exported messages: the first, and that behind 900,000 of a million, with bare
pages beside them.
"""

import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import repeat
from urllib.parse import urlencode

from bench.floors.export import BEHIND, PATH
from bench.floors.page import ORGANIZATION
from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.organizations import Customer, some_customers
from bench.kit.report import Goal, Report
from bench.kit.rounds import Round, load_round, row_of
from core.exports import ExportQuery
from core.exports.cursor import write_cursor
from core.foundation.database import db
from core.foundation.security.caller import Caller

MESSAGES = 1_000_000
DEPTH = 900_000
WARM_UP_SECONDS = 0.7

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
APART = timedelta(seconds=2.6)
"""A million of these fill thirty days."""
END = BEGIN + timedelta(days=31)

# Every third on Instagram; each belongs to a contact, as most do.
FILL = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, recipient, provider, provider_reference, coins, contact_id,
     campaign_id, type, content, metadata, created_at, sent_at, delivered_at, updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, 'test', CASE WHEN n % 3 = 0 THEN 'instagram' ELSE 'whatsapp' END,
       'outbound', 'delivered', '+55119' || lpad((n % 100000000)::text, 8, '0'), 'svc-sandbox',
       'sbx_' || lpad(n::text, 21, '0'), 400, 'cnt_' || lpad((n % 100000)::text, 21, '0'), 'autumn', 'text',
       '{"text": "Seu pedido saiu para entrega"}', jsonb_build_object('order', 'A-' || n, 'attempt', 1),
       at, at, at + interval '3 s', at + interval '3 s'
FROM (SELECT n, $3::timestamptz + n * $4::interval AS at FROM generate_series(1, $2::int) AS n) AS s
"""

FILL_CONTACTS = """
INSERT INTO contacts
    (id, organization_id, env, phone, identity, attributes, tags, opt_in_status, source, external_id, created_at,
     updated_at)
SELECT 'cnt_' || lpad(n::text, 21, '0'), $1, 'test', '+55119' || lpad(n::text, 8, '0'), sha256(n::text::bytea), '{}',
       '{}', 'unknown', 'import', 'crm-' || n, now(), now()
FROM generate_series(0, 99999) AS n
"""


async def measure(house: House) -> Report:
    """Rounds of all four pages in turn, one request at a time."""
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"writing {MESSAGES:,} messages")
        await db.execute(FILL, customer.organization_id, MESSAGES, BEGIN, APART)
        await db.execute(FILL_CONTACTS, customer.organization_id)
        await db.execute("VACUUM ANALYZE messages, contacts")
    house.environment[ORGANIZATION] = customer.organization_id
    rounds: dict[str, list[Round]] = {}
    with ExitStack() as started:
        floor = started.enter_context(house.application("bench.floors.export:create_app"))
        service = started.enter_context(house.api())
        for server in (floor, service):
            server.wait_until_ready()
        pages = {
            "floor, first": (floor, _get(customer, PATH, END)),
            "floor, deep": (floor, _get(customer, PATH, _behind(DEPTH)[0])),
            "service, first": (service, _page(customer)),
            "service, deep": (service, _page(customer, cursor=_cursor(customer))),
        }
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for name, (server, page) in pages.items():
                seconds = house.effort.seconds if number else WARM_UP_SECONDS
                result = await load_round(
                    house, server, repeat(page), concurrency=1, seconds=seconds, status=200
                )
                if number:
                    rounds.setdefault(name, []).append(result)
    nearby, deep = (
        _ratio(rounds[f"service, {page}"], rounds[f"floor, {page}"]) for page in ("first", "deep")
    )
    return Report(
        "export_page",
        rows=[row_of(name, of_one) for name, of_one in rounds.items()],
        goals=[
            Goal(
                f"time behind {DEPTH:,} messages against the first page",
                _ratio(rounds["service, deep"], rounds["service, first"]),
                "at most",
                1.1,
            )
        ],
        notes=[
            f"1,000 rows of {MESSAGES:,} messages on two channels, with phones unmasked",
            f"against the floor: the first page takes {nearby:.2f} times as long, the deep one {deep:.2f} times",
        ],
    )


def _ratio(some: Sequence[Round], others: Sequence[Round]) -> float:
    return statistics.median(one.p50 / other.p50 for one, other in zip(some, others, strict=True))


def _behind(depth: int) -> tuple[datetime, str]:
    """Where the page behind so many messages begins."""
    number = MESSAGES - depth + 1
    return BEGIN + number * APART, f"msg_{number:021}"


def _cursor(customer: Customer) -> str:
    """What the service answers with the page before the deep one."""
    caller = Caller(customer.organization_id, "test", frozenset())
    return write_cursor(caller, ExportQuery(from_=BEGIN, to=END), *_behind(DEPTH))


def _page(customer: Customer, **more: str) -> bytes:
    period = {"from": BEGIN.isoformat(), "to": END.isoformat()}
    return _request(
        customer, f"/v2/exports/whatsapp?{urlencode({**period, 'limit': 1_000, **more})}"
    )


def _get(customer: Customer, path: str, behind: datetime) -> bytes:
    return _request(customer, f"{path}?{urlencode({BEHIND: behind.isoformat()})}")


def _request(customer: Customer, path: str) -> bytes:
    return request_bytes("GET", path, {"Authorization": f"Bearer {customer.key}"}, b"")
