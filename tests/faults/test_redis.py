"""Redis may be emptied, restarted or gone for a while: it is only the alarm clock."""

import asyncio
from typing import Any

from tests.support.books import check_deliveries, check_messages, everything_is_settled
from tests.support.customer import under_load
from tests.support.receiver import Receiver
from tests.support.service import Running, Service
from tests.support.waiting import eventually

QUEUE = "svc:wake"


async def test_an_emptied_redis_loses_nothing(service: Service, receiver: Receiver) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)

    async with under_load(running.customer) as load:
        for _ in range(10):
            await load.more(15)
            await service.redis.flushall()

    await nothing_was_lost(service, running, receiver, load.accepted)
    assert not load.refused()
    assert not load.cut_off


async def test_without_redis_messages_are_sent_and_delivered_and_afterwards_the_alarm_clock_works_again(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)
    redis = service.machines.redis

    async with under_load(running.customer) as load:
        await load.more(20)
        await asyncio.to_thread(redis.stop)
        try:
            assert await readiness(running) == "degraded"
            await load.more(100)
            arrived = len(receiver.arrivals)
            await eventually(lambda: len(receiver.arrivals) >= arrived + 50, "webhooks arrive without Redis")
            await eventually(lambda: len(running.workers[0].logged("redis_is_away")) >= 2, "arq gave up twice")
        finally:
            await asyncio.to_thread(redis.start)
        await load.more(20)

    await nothing_was_lost(service, running, receiver, load.accepted)
    assert not load.refused()
    assert not load.cut_off
    assert await readiness(running) == "ready"


async def test_a_redis_that_hangs_holds_nobody_up(service: Service, receiver: Receiver) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)

    async with under_load(running.customer) as load:
        await load.more(20)
        await service.redis.client_pause(4000)
        arrived = len(receiver.arrivals)
        await load.more(100)
        await eventually(lambda: len(receiver.arrivals) >= arrived + 50, "webhooks arrive meanwhile", within=4)

    await nothing_was_lost(service, running, receiver, load.accepted)
    assert not load.refused()


async def test_a_worker_told_to_stop_while_redis_is_away_ends_within_seconds(service: Service) -> None:
    running = await service.up()
    redis = service.machines.redis

    await asyncio.to_thread(redis.stop)
    try:
        status, seconds = await running.workers[0].terminate()
    finally:
        await asyncio.to_thread(redis.start)

    assert status == 0
    assert seconds < 10


async def nothing_was_lost(
    service: Service, running: Running, receiver: Receiver, accepted: dict[str, dict[str, Any]]
) -> None:
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, accepted)
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == len(accepted), "no reason to deliver anything twice"

    assert all(process.running for process in (*running.apis, *running.workers)), "nobody had to be started again"
    await eventually(lambda: service.redis.keys("svc:alive:worker:*"), "the worker's heart beats")
    await service.redis.zadd(QUEUE, {"deliver_webhooks": 1})
    await eventually(lambda: queue_is_empty(service), "the worker takes wake-ups")


async def queue_is_empty(service: Service) -> bool:
    length: int = await service.redis.zcard(QUEUE)
    return length == 0


async def readiness(running: Running) -> str:
    answer = await running.customer.call("GET", "/readyz")
    assert answer.status == 200
    status: str = answer.body["status"]
    return status
