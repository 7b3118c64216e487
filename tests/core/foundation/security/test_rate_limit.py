"""Token buckets, in Redis and in the process: per second for sends, per minute for what is rare."""

import asyncio
import uuid
from collections.abc import AsyncIterator

import pytest
import redis.asyncio as redis

from core.foundation import settings
from core.foundation.security.rate_limit import Buckets, Grant, LocalBuckets, RedisBuckets, Take


@pytest.fixture(params=["local", "redis"])
async def buckets(request: pytest.FixtureRequest, servers: object) -> AsyncIterator[Buckets]:
    if request.param == "local":
        yield LocalBuckets()
        return
    client = redis.Redis.from_url(settings.current().redis_url)
    yield RedisBuckets(client)
    await client.aclose()


@pytest.fixture
def name() -> str:
    return uuid.uuid4().hex


async def test_a_bucket_without_a_burst_holds_one_second_of_its_rate(
    buckets: Buckets, name: str
) -> None:
    (grant,) = await buckets.take([Take(name, 5, 8)])

    assert grant == Grant(granted=5, left=0, wait=1)


async def test_a_limit_per_minute_gives_its_burst_and_then_one_at_a_time(
    buckets: Buckets, name: str
) -> None:
    take = Take(name, 10 / 60, 1, burst=10)

    grants = [(await buckets.take([take]))[0] for _ in range(11)]

    assert [grant.granted for grant in grants] == [1] * 10 + [0]
    assert [grant.left for grant in grants] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]
    assert 5 <= grants[-1].wait <= 6


async def test_what_was_waited_for_is_there(buckets: Buckets, name: str) -> None:
    take = Take(name, 1.5, 1, burst=1)
    assert (await buckets.take([take]))[0].granted == 1
    (refused,) = await buckets.take([take])
    assert (refused.granted, refused.wait) == (0, 1)

    await asyncio.sleep(refused.wait)

    assert (await buckets.take([take]))[0].granted == 1


async def test_takes_of_one_call_have_a_bucket_each(buckets: Buckets, name: str) -> None:
    grants = await buckets.take([Take(f"{name}:a", 2, 1), Take(f"{name}:b", 10 / 60, 3, burst=10)])

    assert [(grant.granted, grant.left) for grant in grants] == [(1, 1), (3, 7)]


async def test_redis_keeps_a_slow_bucket_until_it_would_be_full(servers: object, name: str) -> None:
    client = redis.Redis.from_url(settings.current().redis_url)
    await RedisBuckets(client).take([Take(name, 10 / 60, 1, burst=10), Take(f"{name}:fast", 50, 1)])

    assert 60_000 < await client.pttl(f"svc:bucket:{name}") <= 61_000
    assert await client.pttl(f"svc:bucket:{name}:fast") <= 2_000
    await client.aclose()


async def test_a_redis_that_is_away_leaves_the_process_to_count_for_itself(name: str) -> None:
    nobody = redis.Redis(host="127.0.0.1", port=1, socket_connect_timeout=0.2)
    buckets = RedisBuckets(nobody)
    take = Take(name, 10 / 60, 1, burst=2)

    assert [(await buckets.take([take]))[0].granted for _ in range(3)] == [1, 1, 0]
    await nobody.aclose()
