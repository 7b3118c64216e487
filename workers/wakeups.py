"""Wake-ups through Redis: the arq worker, supervised so that Redis may restart or be emptied."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import structlog
from arq import Worker
from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from core.foundation.database.cell import current
from core.foundation.jobs import QUEUE_NAME, Job, name_in, queue_of
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.foundation.polling import Wakeable
from core.foundation.redis_address import open_pool
from workers.tasks import CRON_JOBS, WAKE_FUNCTIONS

log = structlog.get_logger()

RESTART_DELAY_SECONDS = 1.0
CLOSE_TIMEOUT_SECONDS = 2.0
CONNECT_TIMEOUT_SECONDS = 1.0
SILENCE_TIMEOUT_SECONDS = 30.0
"""A Redis that has not answered for so long, nor closed the connection, is connected to anew."""
HEALTH_CHECK_SECONDS = 5
"""How often the worker looks for marks of dead wake-ups; as old as this, a mark is one."""
JOB_TIMEOUT_SECONDS = 300


def arq_redis(url: str) -> ArqRedis:
    """arq's client with the retries that let it sit out a restart of a few seconds."""
    pool = open_pool(
        url,
        seconds=CONNECT_TIMEOUT_SECONDS,
        retry=Retry(ExponentialBackoff(cap=2, base=0.1), 10),
        retry_on_timeout=True,
        # The refused connection of a server that is starting is a plain OSError, which redis does
        # not retry by itself.
        retry_on_error=[RedisConnectionError, RedisTimeoutError, OSError],
    )
    return ArqRedis(
        pool,
        default_queue_name=QUEUE_NAME,
        job_serializer=orjson.dumps,
        job_deserializer=orjson.loads,
    )


async def take_wakeups(url: str, loops: Mapping[Job, Wakeable], stop: asyncio.Event) -> None:
    """Take wake-ups of the current cell and run the clock's jobs in it until `stop`; begin again
    whenever arq gives up.
    """
    while not stop.is_set():
        worker = _worker(url, loops)
        run = asyncio.create_task(worker.async_run())
        asked = asyncio.create_task(stop.wait())
        while worker.silent_seconds < SILENCE_TIMEOUT_SECONDS:
            done, _ = await asyncio.wait(
                {run, asked}, timeout=SILENCE_TIMEOUT_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                break
        else:
            log.warning("redis_is_silent", seconds=round(worker.silent_seconds))
        asked.cancel()
        if run.done() and not run.cancelled() and (error := run.exception()):
            tell_outage("redis_is_away", error)
        await _end(worker, run)
        await pause(RESTART_DELAY_SECONDS, until=stop)


async def _end(worker: Worker, run: "asyncio.Task[None]") -> None:
    """End arq, however it takes it.

    It waits long for a Redis that is away; and it hands on the cancellation of its own jobs, which
    would end us without a word. Hence a task of its own, which nobody awaits for longer than a
    moment.
    """
    closing = asyncio.create_task(_close(worker, run))
    done, late = await asyncio.wait({closing}, timeout=CLOSE_TIMEOUT_SECONDS)
    for task in late:
        task.cancel()
    for task in done:
        if not task.cancelled() and (error := task.exception()):
            log.debug("arq_ended_badly", error=type(error).__name__)


async def _close(worker: Worker, run: "asyncio.Task[None]") -> None:
    run.cancel()
    await asyncio.wait({run})
    await worker.close()


class WakeupWorker(Worker):
    """arq, in which a wake-up that died with its worker stands in nobody's way.

    arq marks a job as in progress for longer than its longest job may take, and skips it meanwhile.
    A wake-up takes no time at all, but there is one per kind: a worker that is killed in one, or
    cannot say that it is over because Redis is restarting, would silence this kind for minutes.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._last_turn = time.monotonic()

    @property
    def silent_seconds(self) -> float:
        """Seconds since Redis last let a turn come to its end, of which there are many a second."""
        return time.monotonic() - self._last_turn

    async def record_health(self) -> None:
        """Every few seconds, and at the beginning: take away the marks that nobody takes away any
        more.
        """
        self._last_turn = time.monotonic()
        last = self._last_health_check
        await super().record_health()
        if self._last_health_check != last:
            await delete_stale_marks(self.pool, full=self.in_progress_timeout_s)


async def delete_stale_marks(redis: ArqRedis, *, full: float) -> None:
    """Take away the marks of wake-ups that are `HEALTH_CHECK_SECONDS` old; `full`: seconds that a
    mark lives.
    """
    marks = [in_progress_key_prefix + name_in(current(), job.value) for job in Job]
    async with redis.pipeline(transaction=False) as pipe:
        for mark in marks:
            pipe.pttl(mark)
        left = await pipe.execute()
    dead = [
        mark
        for mark, ms in zip(marks, left, strict=True)
        if 0 < ms < (full - HEALTH_CHECK_SECONDS) * 1000
    ]
    if dead:
        await redis.delete(*dead)


def _worker(url: str, loops: Mapping[Job, Wakeable]) -> WakeupWorker:
    return WakeupWorker(
        functions=WAKE_FUNCTIONS,
        cron_jobs=[replace(job, name=name_in(current(), job.name)) for job in CRON_JOBS],
        queue_name=queue_of(current()),
        redis_pool=arq_redis(url),
        ctx={"loops": loops},
        handle_signals=False,
        poll_delay=0.05,
        keep_result=0,
        max_jobs=20,
        job_timeout=JOB_TIMEOUT_SECONDS,
        job_completion_wait=5,
        health_check_interval=HEALTH_CHECK_SECONDS,
        job_serializer=orjson.dumps,
        job_deserializer=orjson.loads,
        log_results=False,
    )
