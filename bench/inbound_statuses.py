"""Statuses as the platform posts them, 50 in a signed body: taken by one API process, and applied
by a worker.
"""

import asyncio
import statistics
import time
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from typing import Any

import orjson

from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from bench.kit.rounds import Round, load_round
from core.conversations import inbound
from core.foundation.clock import now
from core.foundation.database import db
from core.providers.meta import PROVIDER, SIGNATURE_HEADER, sign
from core.providers.meta.webhook import split

PATH = "/providers/meta"
SECRET = "the secret of the bench"
NUMBER, ACCOUNT = "106540352242922", "102290129340398"
MESSAGES = 5_000
BATCH = 50
CONCURRENCY = 8
WARM_UP_SECONDS = 0.7
PATIENCE_SECONDS = 120.0
AT = 1_790_000_000

FILL_NUMBER = """
INSERT INTO numbers (id, organization_id, env, phone_number_id, waba_id, phone, status, quality_rating, messaging_tier,
                     rate_per_second, rate_per_day, created_at, updated_at)
VALUES ('num_000000000000000000001', $1, 'live', $2, $3, '+5511987650000', 'connected', 'green', 'unlimited', 80,
        1000000, now(), now())
"""

FILL = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, recipient, provider, provider_reference, coins, number_id,
     type, priority, force, attempts, content, metadata, created_at, sent_at, updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, 'live', 'whatsapp', 'outbound', 'sent',
       '+55119' || lpad(n::text, 8, '0'), $3, 'wamid.' || n, 400, 'num_000000000000000000001', 'template', 'normal',
       false, 1, '{}', jsonb_build_object('order', 'A-' || n), now(), now(), now()
FROM generate_series(0, $2::int - 1) AS n
"""

EMPTY = "TRUNCATE platform_notices, message_receipts, webhook_events, webhook_deliveries, parked_receipts"


async def measure(house: House) -> Report:
    """Rounds of both shapes over REST, and of a worker that applies three steps of each message,
    in turn.
    """
    house.environment |= {
        "SVC_META_APP_SECRETS": SECRET,
        "SVC_META_VERIFY_TOKEN": "the token of the bench",
    }
    shapes = {
        "one change of 50": [_body([some]) for some in _in_batches(_statuses())],
        "50 changes of one": [_body([(one,) for one in some]) for some in _in_batches(_statuses())],
    }
    requests = {name: cycle(_requests(bodies)) for name, bodies in shapes.items()}
    taken: dict[str, list[Round]] = {name: [] for name in shapes}
    applied: dict[str, list[float]] = {name: [] for name in shapes}
    async with house.database():
        [customer] = await some_customers(1)
        await db.execute(FILL_NUMBER, customer.organization_id, NUMBER, ACCOUNT)
        await db.execute(FILL, customer.organization_id, MESSAGES, PROVIDER)
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                for name, bodies in shapes.items():
                    seconds = house.effort.seconds if number else WARM_UP_SECONDS
                    result = await load_round(
                        house,
                        api,
                        requests[name],
                        concurrency=CONCURRENCY,
                        seconds=seconds,
                        status=200,
                    )
                    await _reset()
                    rate = await _drain(house, [split(body) for body in _steps(bodies)])
                    await _reset()
                    if number:
                        taken[name].append(result)
                        applied[name].append(rate)
    return Report(
        "inbound_statuses",
        rows=[
            *(_row(f"API, {name}", of_one) for name, of_one in taken.items()),
            *(
                Row(f"worker, {name}", {"statuses per second": statistics.median(rates)})
                for name, rates in applied.items()
            ),
        ],
        goals=[
            Goal(
                f"statuses per second of an API process, {name}",
                _per_second(of_one),
                "at least",
                2_000,
            )
            for name, of_one in taken.items()
        ],
        notes=[
            f"POST {PATH}, signed, {CONCURRENCY} requests under way; stored and committed before the answer",
            f"the worker takes sent, delivered and read of {MESSAGES:,} messages: rows, receipts and events",
        ],
    )


def _in_batches(statuses: Iterable[dict[str, Any]]) -> Iterable[tuple[dict[str, Any], ...]]:
    left = iter(statuses)
    while batch := tuple(islice(left, BATCH)):
        yield batch


def _per_second(rounds: Sequence[Round]) -> float:
    return statistics.median(one.per_second for one in rounds) * BATCH


def _row(name: str, rounds: Sequence[Round]) -> Row:
    return Row(
        name,
        {
            "statuses per second": _per_second(rounds),
            "p50 ms": statistics.median(one.p50 for one in rounds),
            "p99 ms": statistics.median(one.p99 for one in rounds),
            "CPU µs per status": statistics.median(one.server_cpu for one in rounds) / BATCH,
            "PostgreSQL CPU µs per status": statistics.median(one.database_cpu for one in rounds)
            / BATCH,
        },
    )


def _statuses() -> list[dict[str, Any]]:
    return [
        {
            "id": f"wamid.{n}",
            "status": "delivered",
            "timestamp": str(AT),
            "recipient_id": f"55119{n:08}",
            "biz_opaque_callback_data": f"msg_{n:021}",
            "conversation": {"id": f"{n:032x}", "origin": {"type": "utility"}},
            "pricing": {
                "billable": True,
                "pricing_model": "PMP",
                "category": "utility",
                "type": "regular",
            },
        }
        for n in range(MESSAGES)
    ]


def _body(changes: Iterable[Sequence[dict[str, Any]]]) -> bytes:
    return orjson.dumps(
        {
            "object": "whatsapp_business_account",
            "entry": [{"id": ACCOUNT, "changes": [_change(statuses)]} for statuses in changes],
        }
    )


def _change(statuses: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "field": "messages",
        "value": {
            "messaging_product": "whatsapp",
            "metadata": {"display_phone_number": "5511987650000", "phone_number_id": NUMBER},
            "statuses": statuses,
        },
    }


def _requests(bodies: Sequence[bytes]) -> list[bytes]:
    return [
        request_bytes(
            "POST",
            PATH,
            {"Content-Type": "application/json", SIGNATURE_HEADER: sign(SECRET, body)},
            body,
        )
        for body in bodies
    ]


def _steps(bodies: Sequence[bytes]) -> Iterable[bytes]:
    """The same messages, step by step."""
    for step in (b'"sent"', b'"delivered"', b'"read"'):
        yield from (body.replace(b'"delivered"', step) for body in bodies)


async def _drain(house: House, posts: Sequence[Any]) -> float:
    """Statuses per second of a worker that finds these waiting."""
    for changes in posts:
        await inbound.store_notices(changes, at=now())
    with house.worker() as worker:
        started = await worker.says("worker_started")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while await db.fetchval("SELECT EXISTS (SELECT FROM platform_notices)"):
            assert time.monotonic() < deadline, "the worker does not come to an end"
            await asyncio.sleep(0.02)
        ended = now()
    assert await db.fetchval("SELECT count(*) FROM messages WHERE status = 'read'") == MESSAGES
    return 3 * MESSAGES / (ended - started).total_seconds()


async def _reset() -> None:
    await db.execute(EMPTY)
    await db.execute(
        "UPDATE messages SET status = 'sent', delivered_at = NULL, read_at = NULL WHERE status <> 'sent'"
    )
    await db.execute("VACUUM ANALYZE messages")
