"""arq, held so that a Redis that restarts or is emptied never takes the worker down."""

import asyncio
import time
from contextlib import suppress
from typing import Any, cast

import orjson
import structlog
from arq import Worker, cron
from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix
from arq.typing import WorkerCoroutine
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from core.foundation.jobs import QUEUE_NAME, Job
from core.foundation.observability.outage_log import tell_outage
from core.foundation.redis_address import open_pool
from workers.tasks import (
    FUNCTIONS,
    archive_old_messages,
    close_hours,
    complete_campaigns,
    expire_files,
    forget_old_attempts,
    forget_old_events,
    forget_old_keys,
    forget_old_sessions,
    keep_partitions,
    merge_counts,
    recount_segments,
    remove_unheld_files,
    revoke_hopeless_webhooks,
    sum_wallet_days,
    top_up_sandbox_wallets,
)

log = structlog.get_logger()

AFTER_FAILURE_SECONDS = 1.0
CLOSE_SECONDS = 2.0
CONNECT_SECONDS = 1.0
SILENT_SECONDS = 30.0
"""A Redis that has not answered for so long, nor closed the connection, is connected to anew."""
LOOK_SECONDS = 5
"""How often the alarm clock looks for marks of dead wake-ups; as old as this, a mark is one."""
JOB_SECONDS = 300


def arq_redis(url: str) -> ArqRedis:
    """arq's client with the retries that let it sit out a restart of a few seconds."""
    pool = open_pool(
        url,
        seconds=CONNECT_SECONDS,
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


async def listen(url: str, pumps: dict[str, Any], stop: asyncio.Event) -> None:
    """Take wake-ups and run the clock's jobs until `stop`; begin again whenever arq gives up."""
    while not stop.is_set():
        worker = _worker(url, pumps)
        run = asyncio.create_task(worker.async_run())
        asked = asyncio.create_task(stop.wait())
        while worker.silent_seconds < SILENT_SECONDS:
            done, _ = await asyncio.wait(
                {run, asked}, timeout=SILENT_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                break
        else:
            log.warning("redis_is_silent", seconds=round(worker.silent_seconds))
        asked.cancel()
        if run.done() and not run.cancelled() and (error := run.exception()):
            tell_outage("redis_is_away", error)
        await _end(worker, run)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), AFTER_FAILURE_SECONDS)


async def _end(worker: Worker, run: "asyncio.Task[None]") -> None:
    """End arq, however it takes it.

    It waits long for a Redis that is away; and it hands on the cancellation of its own jobs, which
    would end us without a word. Hence a task of its own, which nobody awaits for longer than a
    moment.
    """
    closing = asyncio.create_task(_close(worker, run))
    done, late = await asyncio.wait({closing}, timeout=CLOSE_SECONDS)
    for task in late:
        task.cancel()
    for task in done:
        if not task.cancelled() and (error := task.exception()):
            log.debug("arq_ended_badly", error=type(error).__name__)


async def _close(worker: Worker, run: "asyncio.Task[None]") -> None:
    run.cancel()
    await asyncio.wait({run})
    await worker.close()


class AlarmClock(Worker):
    """arq, in which a wake-up that died with its worker stands in nobody's way.

    arq marks a job as in progress for longer than its longest job may take, and skips it meanwhile.
    A wake-up takes no time at all, but there is one per kind: a worker that is killed in one, or
    cannot say that it is over because Redis is restarting, would silence this kind for minutes.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._turned = time.monotonic()

    @property
    def silent_seconds(self) -> float:
        """Seconds since Redis last let a turn come to its end, of which there are many a second."""
        return time.monotonic() - self._turned

    async def record_health(self) -> None:
        """Every few seconds, and at the beginning: take away the marks that nobody takes away any
        more.
        """
        self._turned = time.monotonic()
        last = self._last_health_check
        await super().record_health()
        if self._last_health_check != last:
            await forget_dead_wake_ups(self.pool, full=self.in_progress_timeout_s)


async def forget_dead_wake_ups(redis: ArqRedis, *, full: float) -> None:
    """Take away the marks of wake-ups that are `LOOK_SECONDS` old; `full`: seconds that a mark
    lives.
    """
    marks = [in_progress_key_prefix + job.value for job in Job]
    async with redis.pipeline(transaction=False) as pipe:
        for mark in marks:
            pipe.pttl(mark)
        left = await pipe.execute()
    dead = [
        mark for mark, ms in zip(marks, left, strict=True) if 0 < ms < (full - LOOK_SECONDS) * 1000
    ]
    if dead:
        await redis.delete(*dead)


def _worker(url: str, pumps: dict[str, Any]) -> AlarmClock:
    return AlarmClock(
        functions=[cast(WorkerCoroutine, function) for function in FUNCTIONS],
        cron_jobs=[
            cron(archive_old_messages, hour={4}, minute={17}, second=0),
            cron(close_hours, second={25}),
            cron(complete_campaigns, second={5}),
            cron(expire_files, minute={17}, second=5),
            cron(forget_old_attempts, minute={47}, second=0),
            cron(forget_old_events, minute={37}, second=0),
            cron(forget_old_keys, minute={7}, second=0),
            cron(forget_old_sessions, hour={3}, minute={31}, second=0),
            cron(keep_partitions, minute={27}, second=0),
            cron(merge_counts, second={20}),
            cron(recount_segments, second={50}),
            cron(remove_unheld_files, second={35}),
            cron(revoke_hopeless_webhooks, second={15}),
            cron(sum_wallet_days, minute=set(range(0, 60, 5)), second=45),
            cron(top_up_sandbox_wallets, hour={3}, minute={11}, second=0),
        ],
        queue_name=QUEUE_NAME,
        redis_pool=arq_redis(url),
        ctx={"pumps": pumps},
        handle_signals=False,
        poll_delay=0.05,
        keep_result=0,
        max_jobs=20,
        job_timeout=JOB_SECONDS,
        job_completion_wait=5,
        health_check_interval=LOOK_SECONDS,
        job_serializer=orjson.dumps,
        job_deserializer=orjson.loads,
        log_results=False,
    )
