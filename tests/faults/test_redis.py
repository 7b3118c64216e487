"""Redis may be emptied, restarted or gone for a while: it only carries wake-ups and cron jobs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from cli.embedded.redis import EmbeddedRedis
from core.foundation.jobs import QUEUE_NAME, Job
from core.foundation.redis_address import open_redis
from tests.support.books import check_deliveries, check_messages, everything_is_settled
from tests.support.customer import under_load
from tests.support.receiver import Receiver
from tests.support.sentinels import a_watched_redis
from tests.support.service import Running, Service
from tests.support.waiting import eventually

OUTAGE_SECONDS = 3.0


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


async def test_without_redis_messages_are_sent_and_delivered_and_afterwards_wakeups_work_again(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)

    async with under_load(running.customer) as load:
        await load.more(20)
        with away(service.machines.redis):
            assert await readiness(running) == "degraded"
            arrived, began = len(receiver.arrivals), time.monotonic()
            while time.monotonic() < began + OUTAGE_SECONDS:
                await load.more(20)
            await eventually(
                lambda: len(receiver.arrivals) >= arrived + 50, "webhooks arrive without Redis"
            )
        await load.more(20)

    await nothing_was_lost(service, running, receiver, load.accepted)
    assert not load.refused()
    assert not load.cut_off
    await eventually(lambda: is_ready(running), "the API reaches it again")


async def test_while_redis_hangs_messages_are_sent_and_delivered(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)

    async with under_load(running.customer) as load:
        await load.more(20)
        with hanging(service.machines.redis):
            await load.more(100)
            arrived = len(receiver.arrivals)
            await eventually(
                lambda: len(receiver.arrivals) >= arrived + 50, "webhooks arrive meanwhile"
            )
            assert await readiness(running) == "degraded"

    await nothing_was_lost(service, running, receiver, load.accepted)
    assert not load.refused()
    assert not load.cut_off


async def test_when_sentinel_replaces_redis_every_process_finds_the_new_one(
    service: Service, receiver: Receiver, tmp_path: Path
) -> None:
    async with a_watched_redis(tmp_path / "redis") as watched:
        service.environment["REDIS_URL"] = watched.address
        await service.redis.aclose()
        service.redis = open_redis(watched.address, seconds=1, answer_seconds=1)
        running = await service.up()
        await running.customer.subscribe(receiver)

        async with under_load(running.customer) as load:
            await load.more(20)
            watched.kill_primary()
            await load.more(40)
        await eventually(lambda: is_ready(running), "the API reaches the new one")

        await nothing_was_lost(service, running, receiver, load.accepted)
        assert not load.refused()
        assert not load.cut_off


@pytest.mark.parametrize("trouble", ["away", "hanging"])
async def test_a_worker_told_to_stop_without_redis_ends_within_seconds(
    service: Service, trouble: str
) -> None:
    running = await service.up()

    with {"away": away, "hanging": hanging}[trouble](service.machines.redis):
        status, _ = await running.workers[0].terminate()

    assert status == 0, "it was not killed when its seconds were over"


@contextmanager
def away(redis: EmbeddedRedis) -> Iterator[None]:
    """Redis is gone while the block runs."""
    redis.stop()
    try:
        yield
    finally:
        redis.start()


@contextmanager
def hanging(redis: EmbeddedRedis) -> Iterator[None]:
    """Redis takes connections and answers nothing while the block runs."""
    (process,) = [
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if process.info["name"].startswith("redis-server")
        and str(redis.folder) in " ".join(process.info["cmdline"])
    ]
    process.suspend()
    try:
        yield
    finally:
        process.resume()


async def nothing_was_lost(
    service: Service, running: Running, receiver: Receiver, accepted: dict[str, dict[str, Any]]
) -> None:
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, accepted)
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == len(accepted), "no reason to deliver anything twice"

    assert all(process.running for process in (*running.apis, *running.workers)), (
        "nobody had to be started again"
    )
    await eventually(lambda: heart_beats(service), "the worker's heart beats")
    await a_wake_up_is_taken(service)


async def heart_beats(service: Service) -> bool:
    """Whether a worker's does. No answer is none: sentinels may still agree on who is the new one."""
    try:
        return bool(await service.redis.keys("svc:alive:worker:*"))
    except RedisConnectionError:
        return False


async def a_wake_up_is_taken(service: Service) -> None:
    wake_up = str(Job.DELIVER_WEBHOOKS)
    seen: list[object] = []

    async def taken() -> bool:
        queue = await service.redis.zrange(QUEUE_NAME, 0, -1, withscores=True)
        marks = await service.redis.keys("arq:in-progress:*")
        seen[:] = [*queue, *[(mark, await service.redis.ttl(mark)) for mark in marks]]
        return await service.redis.zscore(QUEUE_NAME, wake_up) is None

    await service.redis.zadd(QUEUE_NAME, {wake_up: 1})
    await eventually(taken, lambda: f"the worker takes a wake-up; waiting and in progress: {seen}")


async def is_ready(running: Running) -> bool:
    return await readiness(running) == "ready"


async def readiness(running: Running) -> str:
    answer = await running.customer.call("GET", "/readyz")
    assert answer.status == 200
    status: str = answer.body["status"]
    return status
