"""The same events by the queue and by signed notifications at once, in any order, each several times:
every message ends where its best news says, and is paid once.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import httpx
import pytest
from aiohttp import web

from core.foundation import settings
from core.foundation.batches import Batches
from core.foundation.database import db
from core.foundation.errors import DependencyFailed
from core.foundation.security import rate_limit
from core.providers import registry
from core.sms import AmazonEvents
from rest_api.app import create_app
from rest_api.providers import amazon as address
from tests.factories.live import a_live_caller
from tests.factories.sms import a_send
from tests.fakes.aws import TOPIC, FakeAws, an_aws, an_event, drops, in_envelope, takes
from tests.fakes.sns_signature import Certificates, signed
from tests.support.amazon import amazon_settings
from tests.support.money import Balances, balances_of
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")

ENDS: Sequence[tuple[tuple[str, ...], str]] = (
    (("TEXT_DELIVERED",), "delivered"),
    (("TEXT_SUCCESSFUL", "TEXT_DELIVERED"), "delivered"),
    (("TEXT_UNKNOWN", "TEXT_DELIVERED"), "delivered"),
    (("TEXT_TTL_EXPIRED", "TEXT_DELIVERED"), "delivered"),
    (("TEXT_UNREACHABLE",), "undelivered carrier_rejected"),
    (("TEXT_BLOCKED",), "failed blacklisted"),
    (("TEXT_UNKNOWN",), "failed indeterminate"),
    ((), "sent"),
)
"""Events at the end of a message, in any order, and what it comes to by them."""

NOT_FINAL = ("TEXT_QUEUED", "TEXT_SENT")
LANES = 8
PRICE = 800
CHEAPER, FIRST_CHEAPER = 720, 10_000
"""What a message costs from the month's ten thousandth on."""


@pytest.fixture
async def aws(database: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    async with an_aws() as aws:
        with monkeypatch.context() as patched:
            for name, value in amazon_settings(aws).items():
                patched.setenv(name, value)
            settings.current.cache_clear()
            rate_limit.use_buckets(rate_limit.LocalBuckets())
            await registry.open_providers(settings.current())
            yield aws
            await registry.close_providers()
        settings.current.cache_clear()


async def in_lanes(work: Sequence[Any], do: Any) -> None:
    """Each piece of work once, some of them at a time."""
    left = iter(work)

    async def lane() -> None:
        for one in left:
            await do(one)

    await asyncio.gather(*(lane() for _ in range(LANES)))


@pytest.mark.parametrize("messages", [60, pytest.param(400, marks=pytest.mark.slow)])
async def test_the_same_by_both_ways_in_any_order_is_applied_once(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch, messages: int
) -> None:
    chance = Random(messages)
    monkeypatch.setattr(address, "certificate_at", Certificates().at)
    caller = await a_live_caller(messages * PRICE)
    await sends(aws, caller, messages)
    assert len(aws.sent) == len(aws.taken) == messages
    ends = {id: ENDS[place % len(ENDS)] for place, id in enumerate(aws.taken)}
    told = [
        an_event(
            id,
            caller.organization_id,
            kind,
            reference=aws.taken[id].reference,
            final=kind not in NOT_FINAL,
        )
        for id, (kinds, _) in ends.items()
        for kind in (*NOT_FINAL, *kinds)
    ]
    by_queue, by_post = told * 2, list(told)
    chance.shuffle(by_queue)
    chance.shuffle(by_post)

    stop = asyncio.Event()
    loops = [
        asyncio.create_task(AmazonEvents().run(stop, Batches("receive_amazon_events")))
        for _ in range(2)
    ]
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as rest:

        async def post(event: dict[str, Any]) -> None:
            answer = await rest.post(
                "/providers/amazon/events",
                content=json.dumps(signed(event)),
                headers={"x-amz-sns-topic-arn": TOPIC},
            )
            assert answer.status_code == 200, answer.text

        aws.tell(*(in_envelope(event) for event in by_queue))
        await in_lanes(by_post, post)
    await eventually(lambda: not aws.queue and not aws.hidden, "the queue is empty")
    stop.set()
    await asyncio.gather(*loops)

    rows = await db.fetch(
        "SELECT id, concat_ws(' ', status, reason) AS state, provider_reference FROM messages"
    )
    assert {row["id"]: row["state"] for row in rows} == {id: end for id, (_, end) in ends.items()}
    assert all(row["provider_reference"] == aws.taken[row["id"]].reference for row in rows)
    # Whatever became of them: Amazon took them all, once each.
    cheaper = max(0, messages - FIRST_CHEAPER + 1)
    spent = (messages - cheaper) * PRICE + cheaper * CHEAPER
    assert await balances_of(caller) == Balances(messages * PRICE - spent, 0, spent, 0)
    captured = await db.fetch("SELECT origin FROM wallet_transfers WHERE kind = 'captura'")
    assert Counter(row["origin"] for row in captured) == Counter(list(aws.taken))
    assert (
        await db.fetchval(
            "SELECT count(*) FROM (SELECT FROM webhook_events WHERE type LIKE 'sms.%' "
            "GROUP BY type, data ->> 'id' HAVING count(*) > 1) AS twice"
        )
        == 0
    )
    assert await db.fetchval("SELECT count(*) FROM provider_costs") == messages
    assert len(aws.sent) == messages


async def sends(aws: FakeAws, caller: Any, messages: int) -> None:
    """Send them; of each fifth the answer is lost, so that its events are the only proof of it."""
    taken, lost = takes(), drops()
    number = 0

    async def behave(fake: FakeAws, request: web.Request, body: Any) -> web.StreamResponse:
        nonlocal number
        number += 1
        return await (lost if number % 5 == 0 else taken)(fake, request, body)

    aws.sends = behave

    async def send(_: int) -> None:
        with suppress(DependencyFailed):
            await a_send(caller)

    await in_lanes(range(messages), send)
