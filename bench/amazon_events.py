"""Events of Amazon from its queue: received, applied and deleted by one worker."""

import asyncio
import os
import resource
import statistics
import time
from typing import Any

import aiohttp
import orjson

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from core.foundation import settings
from core.foundation.batches import Batches
from core.foundation.database import db
from core.sms import AmazonEvents

MESSAGES = 5_000
PATIENCE_SECONDS = 120.0
AT = 1_790_000_000_000

FILL = """
INSERT INTO messages
    (id, organization_id, env, channel, direction, status, route, recipient, provider, provider_reference, encoding,
     length, segments, coins, metadata, created_at, sent_at, updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, 'live', 'sms', 'outbound', 'sent', 'premium',
       '+55119' || lpad(n::text, 8, '0'), 'cloud-eum', 'eum-' || n, 'GSM-7', 9, 1, 800,
       jsonb_build_object('order', 'A-' || n), now(), now(), now()
FROM generate_series(0, $2::int - 1) AS n
"""
EMPTY = "TRUNCATE message_receipts, webhook_events, webhook_deliveries, provider_costs"
RESET = "UPDATE messages SET status = 'sent', delivered_at = NULL, provider_receipt = NULL"
FLOOR = """
UPDATE messages SET status = 'delivered', delivered_at = now(), updated_at = now()
WHERE id = ANY ($1) AND status = 'sent'
"""
BATCH = 10


async def measure(house: House) -> Report:
    """One UPDATE per batch of ten, and the worker's loop, in turn."""
    with house.application("bench.floors.aws:create_app") as server:
        server.wait_until_ready()
        url = f"http://127.0.0.1:{server.port}"
        house.environment |= {
            "AWS_ENDPOINT_URL": url,
            "AWS_ACCESS_KEY_ID": "of-the-bench",
            "AWS_SECRET_ACCESS_KEY": "of-the-bench",
            "SVC_AMAZON_EVENTS_QUEUE": "https://sqs.sa-east-1.amazonaws.com/123456789012/events",
            "SVC_EUM_CONFIGURATION_SET": "svc",
        }
        async with house.database():
            os.environ.update(house.environment)
            settings.current.cache_clear()
            [customer] = await some_customers(1)
            await db.execute(FILL, customer.organization_id, MESSAGES)
            floors, rates, costs = [], [], []
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                floor = await _floor()
                await _reset()
                await _fill(url, customer.organization_id)
                rate, cost = await _drain()
                await _reset()
                if number:
                    floors.append(floor)
                    rates.append(rate)
                    costs.append(cost)
    return Report(
        "amazon_events",
        rows=[
            Row("one UPDATE per batch of 10", {"events per second": statistics.median(floors)}),
            Row(
                "worker",
                {
                    "events per second": statistics.median(rates),
                    "CPU µs per event": statistics.median(costs),
                },
            ),
        ],
        goals=[Goal("events per second of a worker", statistics.median(rates), "at least", 2_000)],
        notes=[
            f"{MESSAGES:,} deliveries with their prices: rows, receipts, costs and events of webhooks, ten to a call"
        ],
    )


async def _floor() -> float:
    ids = [f"msg_{n:021}" for n in range(MESSAGES)]
    started = time.perf_counter()
    for place in range(0, MESSAGES, BATCH):
        await db.execute(FLOOR, ids[place : place + BATCH])
    return MESSAGES / (time.perf_counter() - started)


async def _reset() -> None:
    await db.execute(RESET)
    await db.execute(EMPTY)
    await db.execute("VACUUM messages")


async def _fill(url: str, organization_id: str) -> None:
    texts = [_text(n, organization_id) for n in range(MESSAGES)]
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{url}/fill", data=orjson.dumps(texts)) as answer,
    ):
        assert answer.status == 200


async def _drain() -> tuple[float, float]:
    """Events per second, and the CPU of this process for one in microseconds."""
    stop = asyncio.Event()
    started, cpu = time.perf_counter(), _cpu()
    loop = asyncio.create_task(AmazonEvents().run(stop, Batches("receive_amazon_events")))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await db.fetchval("SELECT count(*) FROM provider_costs") < MESSAGES:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    seconds, used = time.perf_counter() - started, _cpu() - cpu
    stop.set()
    await loop
    return MESSAGES / seconds, used / MESSAGES * 1e6


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _text(n: int, organization_id: str) -> str:
    event: dict[str, Any] = {
        "eventType": "TEXT_DELIVERED",
        "eventVersion": "1.0",
        "eventTimestamp": AT,
        "isFinal": True,
        "destinationPhoneNumber": f"+55119{n:08}",
        "isoCountryCode": "BR",
        "carrierName": "Claro",
        "messageId": f"eum-{n}",
        "messageStatus": "DELIVERED",
        "messageStatusDescription": "Message has been accepted by phone",
        "context": {"svc": f"msg_{n:021}", "org": organization_id, "env": "live"},
        "totalMessageParts": 1,
        "totalMessagePrice": 0.0243,
        "totalCarrierFee": 0.0,
    }
    envelope = {
        "Type": "Notification",
        "TopicArn": "arn:aws:sns:sa-east-1:123456789012:events",
        "Message": orjson.dumps(event).decode(),
    }
    return orjson.dumps(envelope).decode()
