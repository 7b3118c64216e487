"""arq is held: whatever it does, wake-ups and cron jobs go on."""

import asyncio
from collections.abc import Callable, Mapping

import pytest
from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation.jobs import QUEUE_NAME, Job
from core.foundation.polling import Wakeable
from rest_api.wake_ups import ArqQueue
from tests.support.waiting import eventually
from workers import wakeups


class FakeArq:
    """An arq worker that ends as the test says."""

    silent_seconds = 0.0

    def __init__(
        self, run: Callable[[], None] | None = None, close: Callable[[], None] | None = None
    ) -> None:
        self._run = run
        self._close = close

    async def async_run(self) -> None:
        if self._run is None:
            await asyncio.Event().wait()
        else:
            self._run()

    async def close(self) -> None:
        if self._close is None:
            await asyncio.Event().wait()
        else:
            self._close()


@pytest.mark.parametrize(
    "ending", [asyncio.CancelledError(), RedisConnectionError("gone")], ids=repr
)
async def test_taking_wakeups_begins_again_however_arq_ended(
    monkeypatch: pytest.MonkeyPatch, ending: BaseException
) -> None:
    def fail() -> None:
        raise RedisConnectionError("restarted")

    def end() -> None:
        raise ending

    started: list[FakeArq] = []

    def worker(url: str, loops: object) -> FakeArq:
        started.append(FakeArq(fail, end))
        return started[-1]

    monkeypatch.setattr(wakeups, "_worker", worker)
    monkeypatch.setattr(wakeups, "RESTART_DELAY_SECONDS", 0.01)
    stop = asyncio.Event()
    listening = asyncio.create_task(wakeups.take_wakeups("unused", {}, stop))

    await eventually(lambda: len(started) >= 3, "arq is started again and again")
    stop.set()
    await asyncio.wait_for(listening, 60)


async def test_told_to_stop_it_waits_for_a_hanging_redis_no_longer_than_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wakeups, "_worker", lambda *_: FakeArq())
    monkeypatch.setattr(wakeups, "CLOSE_TIMEOUT_SECONDS", 0.1)
    stop = asyncio.Event()
    listening = asyncio.create_task(wakeups.take_wakeups("unused", {}, stop))
    stop.set()
    await asyncio.wait_for(listening, 60)


async def test_a_redis_that_neither_answers_nor_hangs_up_is_connected_to_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections: list[asyncio.StreamWriter] = []

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)

    monkeypatch.setattr(wakeups, "SILENCE_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(wakeups, "RESTART_DELAY_SECONDS", 0.01)
    stop = asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        listening = asyncio.create_task(wakeups.take_wakeups(f"redis://127.0.0.1:{port}", {}, stop))

        await eventually(lambda: len(connections) >= 3, "Redis is connected to again and again")
        stop.set()
        await asyncio.wait_for(listening, 60)
        for writer in connections:
            writer.close()


async def test_a_wake_up_that_died_with_its_worker_does_not_silence_its_kind(
    servers: tuple[EmbeddedPostgres, EmbeddedRedis], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = wakeups._worker

    def without_the_clocks_jobs(url: str, loops: Mapping[Job, Wakeable]) -> wakeups.WakeupWorker:
        worker = made(url, loops)
        worker.cron_jobs = []
        return worker

    monkeypatch.setattr(wakeups, "_worker", without_the_clocks_jobs)
    url = f"{servers[1].address}?db=9"
    mark = in_progress_key_prefix + Job.DELIVER_WEBHOOKS
    loop, stop, queue = FakeLoop(), asyncio.Event(), ArqQueue(url)
    async with Redis.from_url(url) as redis:
        await redis.set(mark, 1, ex=wakeups.JOB_TIMEOUT_SECONDS)
        listening = asyncio.create_task(
            wakeups.take_wakeups(url, {Job.DELIVER_WEBHOOKS: loop}, stop)
        )
        try:
            await queue.wake(Job.DELIVER_WEBHOOKS)
            await eventually(lambda: loop.woken, "the wake-up is taken")
            await eventually(lambda: none_waits(redis), "it is over")
        finally:
            stop.set()
            await queue.close()
            await asyncio.wait_for(listening, 60)
        assert not await redis.exists(mark)


class FakeLoop:
    """Counts its wake-ups."""

    woken = 0

    def wake(self) -> None:
        self.woken += 1


async def none_waits(redis: "Redis") -> bool:
    waiting: int = await redis.zcard(QUEUE_NAME)
    return waiting == 0


async def test_the_mark_of_a_wake_up_that_has_just_begun_stays(
    servers: tuple[EmbeddedPostgres, EmbeddedRedis],
) -> None:
    mark = in_progress_key_prefix + Job.RESUME_WEBHOOKS
    full = 3600
    async with ArqRedis.from_url(f"{servers[1].address}?db=9") as redis:
        await redis.set(mark, 1, ex=full)
        await wakeups.delete_stale_marks(redis, full=full - 60)
        assert await redis.delete(mark) == 1
