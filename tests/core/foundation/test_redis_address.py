"""The address of Redis: a server, or the primary that Sentinel names, and every user of it after a
fail-over.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.exceptions import RedisError

from core.foundation import pubsub
from core.foundation.jobs import Job
from core.foundation.pubsub import publisher as publisher_module
from core.foundation.redis_address import InvalidRedisUrl, open_pool, open_redis
from rest_api.wake_ups import ArqQueue
from tests.support.sentinels import Watched, a_watched_redis
from tests.support.waiting import eventually
from workers import wakeups

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("url", "sentinels", "own"),
    [
        ("redis+sentinel://a/?service=s", [("a", 26379)], (None, None, 0, False)),
        (
            "redis+sentinel://:p%40@a:1,[::1]:2/3?service=s",
            [("a", 1), ("::1", 2)],
            (None, "p@", 3, False),
        ),
        ("rediss+sentinel://u:p@a:1,b/0?service=s", [("a", 1), ("b", 26379)], ("u", "p", 0, True)),
    ],
)
def test_an_address_of_sentinels_is_read(
    url: str, sentinels: list[tuple[str, int]], own: tuple[str | None, str | None, int, bool]
) -> None:
    pool = open_pool(url, seconds=1)

    assert isinstance(pool, SentinelConnectionPool)
    asked = [
        sentinel.connection_pool.connection_kwargs for sentinel in pool.sentinel_manager.sentinels
    ]
    assert [(one["host"], one["port"]) for one in asked] == sentinels
    assert pool.service_name == "s"
    said: dict[str, Any] = pool.connection_kwargs
    encrypted = "SSL" in pool.connection_class.__name__
    assert (said["username"], said["password"], said["db"], encrypted) == own


def test_sentinels_have_credentials_and_certificates_of_their_own() -> None:
    url = "rediss+sentinel://u:p@a/0?service=s&sentinel_username=w&sentinel_password=q&ssl_ca_certs=/ca.pem"
    pool = open_pool(url, seconds=1)

    assert isinstance(pool, SentinelConnectionPool)
    (asked,) = pool.sentinel_manager.sentinels
    own = asked.connection_pool.connection_kwargs
    assert (own["username"], own["password"], own["ssl_ca_certs"]) == ("w", "q", "/ca.pem")
    assert pool.connection_kwargs["ssl_ca_certs"] == "/ca.pem"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://cache", "expected redis://host:port/0"),
        ("redis://:s3cr3t@h:none/0", "expected redis://host:port/0"),
        ("redis+sentinel://:s3cr3t@/0?service=s", "expected redis://host:port/0"),
        ("redis+sentinel://:s3cr3t@a:none/0?service=s", "expected redis://host:port/0"),
        ("redis+sentinel://:s3cr3t@a/0", "redis+sentinel:// needs ?service="),
        (
            "redis+sentinel://:s3cr3t@a/0?service=s&timeout=1",
            "unknown options: timeout; known are service,",
        ),
        (
            "redis+sentinel://:s3cr3t@a/0?service=s&ssl_ca_certs=/x",
            "ssl_ca_certs: only with rediss+sentinel://",
        ),
    ],
)
def test_an_address_that_cannot_be_followed_is_refused_without_repeating_it(
    url: str, reason: str
) -> None:
    with pytest.raises(InvalidRedisUrl) as refused:
        open_pool(url, seconds=1)

    assert str(refused.value).startswith(f"REDIS_URL: {reason}")
    assert "s3cr3t" not in str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with a_watched_redis(tmp_path) as watched:
        yield watched


class FakeLoop:
    """Counts its wake-ups."""

    woken = 0

    def wake(self) -> None:
        self.woken += 1


async def test_after_a_fail_over_every_client_finds_the_new_primary(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher_module, "RETRY_DELAY_SECONDS", 0.05)
    url, stop, loop = watched.address, asyncio.Event(), FakeLoop()
    client, queue, hub = (
        open_redis(url, seconds=0.5, answer_seconds=0.5),
        ArqQueue(url),
        pubsub.Hub(url),
    )
    publisher = pubsub.Publisher(client)
    pubsub.use_publisher(publisher)
    taking = asyncio.create_task(wakeups.take_wakeups(url, {Job.DELIVER_WEBHOOKS: loop}, stop))
    try:
        await eventually(lambda: hears(hub), "who listens hears")
        await queue.wake(Job.DELIVER_WEBHOOKS)
        await eventually(lambda: loop.woken, "a wake-up is taken")

        before = loop.woken
        watched.kill_primary()
        await eventually(lambda: writes(client), "writes go to the new primary")
        await eventually(lambda: hears(hub), "who listens anew hears")
        await eventually(lambda: woken(queue), "a wake-up is left")
        await eventually(lambda: loop.woken > before, "and taken")
    finally:
        stop.set()
        pubsub.use_publisher(None)
        await publisher.close()
        await hub.close()
        await queue.close()
        await client.aclose()
        await asyncio.wait_for(taking, 60)


async def hears(hub: pubsub.Hub) -> bool:
    """Whether one who begins to listen is told of what is announced then."""
    notice = pubsub.Notice(pubsub.Topic.MESSAGE, "org_1", "test", "msg_1", {"channel": "sms"})
    async with hub.listening(
        "org_1", "test", wanted=lambda _: True, cut_off=lambda _: None
    ) as listener:
        await pubsub.publish([notice])
        try:
            return [heard.id for heard in await asyncio.wait_for(listener.burst(), 1)] == ["msg_1"]
        except (TimeoutError, pubsub.NoticesLost):
            return False


async def writes(client: Any) -> bool:
    try:
        return bool(await client.set("k", "v"))
    except (RedisError, OSError):
        return False


async def woken(queue: ArqQueue) -> bool:
    try:
        await queue.wake(Job.DELIVER_WEBHOOKS)
    except (RedisError, OSError):
        return False
    return True
