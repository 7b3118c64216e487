"""arq, held so that a Redis that restarts or is emptied never takes the worker down."""

import asyncio
from contextlib import suppress
from typing import Any, cast

import orjson
import structlog
from arq import Worker, cron
from arq.connections import RedisSettings
from arq.typing import WorkerCoroutine
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from core.foundation.jobs import QUEUE_NAME
from workers.tasks import (
    FUNCTIONS,
    archive_old_messages,
    complete_campaigns,
    expire_files,
    forget_old_events,
    forget_old_keys,
    forget_old_sessions,
    merge_counts,
    recount_segments,
    remove_unheld_files,
    revoke_hopeless_webhooks,
    top_up_sandbox_wallets,
)

log = structlog.get_logger()

AFTER_FAILURE_SECONDS = 1.0
CLOSE_SECONDS = 2.0


def redis_settings(url: str) -> RedisSettings:
    """arq's settings with the retries that let it sit out a restart of a few seconds."""
    settings = RedisSettings.from_dsn(url)
    settings.retry = Retry(ExponentialBackoff(cap=2, base=0.1), 10)
    settings.retry_on_timeout = True
    # The refused connection of a server that is starting is a plain OSError, which redis does not retry by itself.
    settings.retry_on_error = [RedisConnectionError, RedisTimeoutError, OSError]
    settings.conn_retries = 0
    return settings


async def listen(url: str, pumps: dict[str, Any], stop: asyncio.Event) -> None:
    """Take wake-ups and run the clock's jobs until `stop`; begin again whenever arq gives up."""
    while not stop.is_set():
        worker = _worker(url, pumps)
        run = asyncio.create_task(worker.async_run())
        asked = asyncio.create_task(stop.wait())
        await asyncio.wait({run, asked}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if run.done() and not run.cancelled() and (error := run.exception()):
            log.warning("redis_is_away", error=type(error).__name__)
        await _end(worker, run)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), AFTER_FAILURE_SECONDS)


async def _end(worker: Worker, run: "asyncio.Task[None]") -> None:
    """End arq, however it takes it.

    It waits long for a Redis that is away; and it hands on the cancellation of its own jobs, which would end us
    without a word. Hence a task of its own, which nobody awaits for longer than a moment.
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


def _worker(url: str, pumps: dict[str, Any]) -> Worker:
    return Worker(
        functions=[cast(WorkerCoroutine, function) for function in FUNCTIONS],
        cron_jobs=[
            cron(archive_old_messages, hour={4}, minute={17}, second=0),
            cron(complete_campaigns, second={5}),
            cron(expire_files, minute={17}, second=5),
            cron(forget_old_events, minute={37}, second=0),
            cron(forget_old_keys, minute={7}, second=0),
            cron(forget_old_sessions, hour={3}, minute={31}, second=0),
            cron(merge_counts, second={20}),
            cron(recount_segments, second={50}),
            cron(remove_unheld_files, second={35}),
            cron(revoke_hopeless_webhooks, second={15}),
            cron(top_up_sandbox_wallets, hour={3}, minute={11}, second=0),
        ],
        queue_name=QUEUE_NAME,
        redis_settings=redis_settings(url),
        ctx={"pumps": pumps},
        handle_signals=False,
        poll_delay=0.05,
        keep_result=0,
        max_jobs=20,
        job_timeout=300,
        job_completion_wait=5,
        health_check_interval=30,
        job_serializer=orjson.dumps,
        job_deserializer=orjson.loads,
        log_results=False,
    )
