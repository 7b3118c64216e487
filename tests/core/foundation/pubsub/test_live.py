"""Announcing and listening, through a Redis of their own that may be restarted."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
import redis.asyncio as redis
from structlog.testing import capture_logs

from cli.embedded.redis import EmbeddedRedis
from core.foundation import pubsub
from core.foundation.database.transactions import transaction
from core.foundation.errors import ServiceUnavailable
from core.foundation.pubsub import publisher as publisher_module
from core.foundation.pubsub import subscriber
from core.foundation.pubsub.notices import channel_of
from tests.support.waiting import eventually

HOME = "org_home"


def a_notice(id: str = "msg_1", organization: str = HOME, env: str = "test") -> pubsub.Notice:
    return pubsub.Notice(pubsub.Topic.MESSAGE, organization, env, id, {"channel": "sms"})


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """A Redis that these tests stop and start."""
    with EmbeddedRedis(tmp_path_factory.mktemp("live"), durable=False) as server:
        yield server


@pytest.fixture
async def client(own_redis: EmbeddedRedis) -> AsyncIterator["redis.Redis"]:
    async with redis.Redis.from_url(
        own_redis.address, socket_connect_timeout=0.5, socket_timeout=0.5
    ) as client:
        yield client


@pytest.fixture
async def publisher(
    client: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[pubsub.Publisher]:
    monkeypatch.setattr(publisher_module, "RETRY_DELAY_SECONDS", 0.05)
    monkeypatch.setattr(subscriber, "RECONNECT_DELAY_SECONDS", 0.05)
    publisher = pubsub.Publisher(client)
    pubsub.use_publisher(publisher)
    yield publisher
    pubsub.use_publisher(None)
    await publisher.close()


class Ear:
    """A listener that notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.lost: list[pubsub.NoticesLost] = []


@pytest.fixture
async def hub(own_redis: EmbeddedRedis) -> AsyncIterator[pubsub.Hub]:
    hub = pubsub.Hub(own_redis.address)
    yield hub
    await hub.close()


@pytest.fixture
async def ends() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as ends:
        yield ends


async def an_ear(
    hub: pubsub.Hub,
    ends: AsyncExitStack,
    *,
    organization: str = HOME,
    env: str = "test",
    ids: Sequence[str] | None = None,
) -> Ear:
    """A listener to everything of an owner, or to these ids."""
    ear = Ear()

    async def follow(listener: pubsub.NoticeListener) -> None:
        while True:
            ear.heard += [notice.id for notice in await listener.burst()]

    listener = await ends.enter_async_context(
        hub.listening(
            organization,
            env,
            wanted=lambda notice: ids is None or notice.id in ids,
            cut_off=ear.lost.append,
        )
    )
    task = asyncio.create_task(follow(listener))
    ends.callback(task.cancel)
    return ear


async def test_each_hears_what_it_wants_of_its_own(
    publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    everything = await an_ear(hub, ends)
    one = await an_ear(hub, ends, ids=["msg_2"])
    other = await an_ear(hub, ends, organization="org_other")
    live_ones = await an_ear(hub, ends, env="live")

    await pubsub.publish(
        [
            a_notice("msg_1"),
            a_notice("msg_2"),
            a_notice("msg_3", "org_other"),
            a_notice("msg_4", env="live"),
        ]
    )

    await eventually(
        lambda: everything.heard and one.heard and other.heard and live_ones.heard, "all hear"
    )
    assert [ear.heard for ear in (everything, one, other, live_ones)] == [
        ["msg_1", "msg_2"],
        ["msg_2"],
        ["msg_3"],
        ["msg_4"],
    ]


async def test_notices_leave_together_whether_or_not_somebody_listens(
    client: "redis.Redis", publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    before = (await client.info("commandstats")).get("cmdstat_publish", {}).get("calls", 0)
    for number in range(500):
        await pubsub.publish([a_notice(f"msg_{number}")])
    await eventually(lambda: publisher._task is None, "all are told")
    after = (await client.info("commandstats"))["cmdstat_publish"]["calls"]

    assert after - before == 1


async def test_nothing_is_announced_of_what_is_rolled_back(
    clean_slate: None, publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    ear = await an_ear(hub, ends)
    with pytest.raises(ZeroDivisionError):
        async with transaction():
            await pubsub.publish([a_notice("msg_lost")])
            raise ZeroDivisionError
    async with transaction():
        await pubsub.publish([a_notice("msg_kept")])
        assert publisher._waiting == []

    await eventually(lambda: ear.heard, "it hears")
    assert ear.heard == ["msg_kept"]


async def test_a_record_that_changes_often_is_heard_once_while_it_waits() -> None:
    listener = pubsub.NoticeListener(lambda _: True, lambda _: None)
    listener.offer(
        [
            pubsub.ReceivedNotice("message", "msg_1", {}),
            pubsub.ReceivedNotice("message", "msg_2", {}),
        ]
    )
    listener.offer([pubsub.ReceivedNotice("message", "msg_1", {"as": "last"})])

    assert [(notice.id, notice.facts) for notice in await listener.burst()] == [
        ("msg_1", {"as": "last"}),
        ("msg_2", {}),
    ]


async def test_bursts_are_bounded_and_keep_their_order() -> None:
    listener = pubsub.NoticeListener(lambda _: True, lambda _: None)
    ids = [f"msg_{number}" for number in range(subscriber.BURST_SIZE + 1)]
    listener.offer([pubsub.ReceivedNotice("message", id, {}) for id in ids])

    assert [notice.id for notice in await listener.burst()] == ids[:-1]
    assert [notice.id for notice in await listener.burst()] == ids[-1:]


async def test_who_falls_behind_is_told_once_and_hears_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscriber, "MAX_PENDING", 2)
    told: list[pubsub.NoticesLost] = []
    listener = pubsub.NoticeListener(lambda _: True, told.append)
    for _ in range(2):
        listener.offer(
            [pubsub.ReceivedNotice("message", f"msg_{number}", {}) for number in range(3)]
        )

    assert [type(lost) for lost in told] == [pubsub.ListenerTooSlow]
    with pytest.raises(pubsub.ListenerTooSlow):
        await listener.burst()


async def test_listeners_share_one_connection_and_leave_none(
    client: "redis.Redis", hub: pubsub.Hub, publisher: pubsub.Publisher
) -> None:
    async def listening() -> int:
        return len([one for one in await client.client_list() if int(one["sub"])])

    async with AsyncExitStack() as ends:
        for organization in ("org_1", "org_2"):
            for _ in range(3):
                await an_ear(hub, ends, organization=organization)
        assert hub.listeners == 6
        assert await listening() == 1
        assert set(await client.pubsub_channels()) == {
            channel_of(one, "test").encode() for one in ("org_1", "org_2")
        }

    assert hub.listeners == 0
    await eventually(lambda: not hub.connected, "the connection is given back")

    async def nobody() -> bool:
        return not await listening()

    await eventually(nobody, "Redis knows of no subscription")


async def test_a_channel_that_was_left_is_listened_to_again(
    publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    await an_ear(hub, ends, organization="org_other")  # keeps the connection up
    for number in range(5):
        async with AsyncExitStack() as own:
            ear = await an_ear(hub, own)
            await pubsub.publish([a_notice(f"msg_{number}")])
            await eventually(lambda ear=ear: ear.heard, "it hears")  # type: ignore[misc]


async def test_after_a_restart_of_redis_listeners_are_told_of_the_gap_once_and_new_ones_hear(
    own_redis: EmbeddedRedis, publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    ear = await an_ear(hub, ends)
    with capture_logs() as logs:
        own_redis.stop()
        try:
            for number in range(3):
                await pubsub.publish([a_notice(f"msg_{number}")])
            await eventually(lambda: publisher._away, "the publisher has noticed")
        finally:
            own_redis.start()

        await eventually(lambda: ear.lost, "it is told of the gap")
        new = await an_ear(hub, ends)

        async def hears() -> bool:
            await pubsub.publish([a_notice("msg_again")])
            return "msg_again" in new.heard

        await eventually(hears, "a new one hears")

    assert [type(lost) for lost in ear.lost] == [pubsub.ListeningInterrupted]
    assert (ear.heard, new.lost) == ([], [])
    assert len([line for line in logs if line["event"] == "notices_lost"]) == 1
    assert len([line for line in logs if line["event"] == "listening_interrupted"]) == 1


async def test_a_quiet_connection_is_asked_for_a_sign_of_life_and_kept(
    client: "redis.Redis",
    publisher: pubsub.Publisher,
    hub: pubsub.Hub,
    ends: AsyncExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscriber, "PING_INTERVAL_SECONDS", 0.01)
    before = (await client.info("commandstats")).get("cmdstat_ping", {}).get("calls", 0)
    with capture_logs() as logs:
        ear = await an_ear(hub, ends)

        async def asked() -> bool:
            return bool(
                (await client.info("commandstats")).get("cmdstat_ping", {}).get("calls", 0)
                > before + 3
            )

        await eventually(asked, "it was asked")
        await pubsub.publish([a_notice()])
        await eventually(lambda: ear.heard, "it hears")
    assert logs == []


async def test_a_connection_that_falls_silent_is_made_anew(
    own_redis: EmbeddedRedis, hub: pubsub.Hub, ends: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriber, "SILENCE_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(subscriber, "RECONNECT_DELAY_SECONDS", 0.01)
    with capture_logs() as logs:
        await an_ear(hub, ends)
        await eventually(lambda: logs, "it was noticed")
    assert logs[0]["event"] == "listening_interrupted"


async def test_what_another_version_announces_is_passed_over(
    client: "redis.Redis", publisher: pubsub.Publisher, hub: pubsub.Hub, ends: AsyncExitStack
) -> None:
    ear = await an_ear(hub, ends)
    for message in (b"{", b"1", b"[[1]]"):
        await client.publish(channel_of(HOME, "test"), message)
    await pubsub.publish([a_notice()])

    await eventually(lambda: ear.heard, "it hears what it understands")
    assert ear.heard == ["msg_1"]


async def test_a_listener_without_redis_waits_for_it_and_is_told_of_the_gap(
    own_redis: EmbeddedRedis,
    publisher: pubsub.Publisher,
    hub: pubsub.Hub,
    ends: AsyncExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscriber, "READY_TIMEOUT_SECONDS", 0.01)
    own_redis.stop()
    try:
        ear = await an_ear(hub, ends)
    finally:
        own_redis.start()

    await eventually(lambda: ear.lost, "it is told")
    assert [type(lost) for lost in ear.lost] == [pubsub.ListeningInterrupted]


async def test_more_than_can_wait_is_dropped(
    publisher: pubsub.Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher_module, "MAX_WAITING", 3)
    await pubsub.publish(a_notice(f"msg_{number}") for number in range(5))
    await pubsub.publish([a_notice()])

    assert [notice.id for notice in publisher._waiting] == ["msg_0", "msg_1", "msg_2"]


async def test_without_an_announcer_nothing_is_even_made() -> None:
    def notices() -> Iterator[Any]:
        raise AssertionError("made")
        yield

    await pubsub.publish(notices())


def test_a_process_that_does_not_listen_says_so() -> None:
    with pytest.raises(ServiceUnavailable):
        pubsub.hub()
