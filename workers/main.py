"""One worker process: every polling loop, wake-ups and cron jobs, and a graceful shutdown."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
import uvloop

from core import (
    cells,
    journeys,
    messaging,
    operations,
    push,
    sandbox_clock,
    templates,
    webhooks,
)
from core.cells import HOME, Cell
from core.channels import PACKAGES
from core.foundation import files, http_client, jobs, pubsub
from core.foundation.database import db
from core.foundation.ids import random_base62
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop, WorkerLoop
from core.foundation.redis_address import open_redis
from core.foundation.settings import Settings, current
from core.providers import registry
from core.providers.push import Services, open_services
from workers.cells_at_work import CellsAtWork
from workers.heartbeat import beat, key_of
from workers.polling import keep_running, wake_all
from workers.wakeups import take_wakeups

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = structlog.get_logger()

FORCED_EXIT_STATUS = 1
"""The exit status of a worker that was told to stop twice."""


def run(names: Sequence[str] = ()) -> None:
    """Run a worker in this process until SIGTERM or SIGINT. `names`: the cells that it drains; all
    of them where none is named.
    """
    uvloop.run(_main(frozenset(names)))


async def _main(names: frozenset[str]) -> None:
    stop = asyncio.Event()

    def end() -> None:
        if stop.is_set():
            os._exit(FORCED_EXIT_STATUS)  # told twice; leases and locks of what is cut off run out
        log.info("worker_stopping")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await work(current(), stop, names)


async def work(
    settings: Settings, stop: asyncio.Event, names: frozenset[str] = frozenset()
) -> None:
    """Work until `stop` is set, then finish what has begun. `names`: as for `run`."""
    await db.open_database(settings)
    await operations.tell_another_hash_key()
    await cells.learn_cells()
    if strange := names - {HOME.name} - cells.as_known().keys():
        log.warning("cells_not_listed", cells=sorted(strange))  # they may come yet
    await registry.open_providers(settings)
    opened = AsyncExitStack()
    push_services = await opened.enter_async_context(open_services(webhooks.policy()))
    redis = open_redis(settings.redis_url, seconds=2, answer_seconds=2)
    queue = LocalQueue()
    jobs.use_queue(queue)
    publisher = pubsub.Publisher(redis)
    pubsub.use_publisher(publisher)
    try:
        measured = operations.metrics_server(
            redis,
            host=settings.worker_metrics_host,
            port=settings.worker_metrics_port,
            token=settings.metrics_token,
        )
        async with measured, asyncio.TaskGroup() as group:
            shared = Shared(settings, queue, push_services, redis)
            await CellsAtWork(group, partial(_work_in_cell, shared)).keep_up(names, stop)
    finally:
        pubsub.use_publisher(None)
        await publisher.close()
        jobs.use_queue(None)
        await opened.aclose()
        await files.close_blob_store()
        await redis.aclose()
        await registry.close_providers()
        await db.close_database()
        log.info("worker_stopped")


@dataclass(frozen=True, slots=True)
class Shared:
    """What a process has once for all cells."""

    settings: Settings
    queue: "LocalQueue"
    push_services: Services
    redis: "Redis"


async def _work_in_cell(shared: Shared, cell: Cell, stop: asyncio.Event) -> None:
    """All loops in the current cell, until `stop`."""
    heartbeat_key = key_of(await operations.database_id(), random_base62(8))
    http = http_client.open_client(webhooks.policy(), limit=webhooks.MAX_CONNECTIONS)
    loops = _loops(http, shared.push_services)
    await sandbox_clock.hold_moved()  # before anything is drained
    shared.queue.loops[cell] = loops
    try:
        async with asyncio.TaskGroup() as group:
            metrics_port = shared.settings.worker_metrics_port
            log.info("worker_started", pid=os.getpid(), metrics_port=metrics_port)
            for job, loop in loops.items():
                if cell == HOME or job not in OF_THE_HOME:
                    group.create_task(keep_running(job.value, loop.run, stop))
            group.create_task(take_wakeups(shared.settings.redis_url, loops, stop))
            group.create_task(beat(shared.redis, heartbeat_key, stop))
            group.create_task(wake_all(loops.values(), stop))
    finally:
        del shared.queue.loops[cell]
        await http.close()


OF_THE_HOME = frozenset({Job.RECEIVE_AMAZON_EVENTS, Job.READ_AMAZON_LOGS})
"""What comes for all organizations together: it is read once, and written where each lives."""


def _loops(http: http_client.GuardedClient, push_services: Services) -> dict[Job, WorkerLoop]:
    """The loop that drains the rows of each job."""
    return {
        Job.DELIVER_WEBHOOKS: webhooks.Dispatcher(http),
        Job.RESUME_WEBHOOKS: PollingLoop(
            webhooks.resume_queues, batch=webhooks.RESUME_BATCH_SIZE, poll_seconds=1
        ),
        Job.ASSIGN_FEED_POSITIONS: PollingLoop(
            webhooks.Sequencer().assign, batch=webhooks.FEED_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.SEND_PUSH: PollingLoop(
            push.LiveSender(push_services.provider_for).drain, batch=1, poll_seconds=1
        ),
        Job.MOVE_CLOCKS: sandbox_clock.ClockMover(http),
        Job.MOVE_RUNS: PollingLoop(journeys.move_due, batch=1, poll_seconds=0.2),
        Job.TAKE_AUDIENCE_CHANGES: PollingLoop(
            journeys.AudienceWatcher().take, batch=journeys.AUDIENCE_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.END_EXPIRED: PollingLoop(
            messaging.end_expired, batch=messaging.EXPIRY_BATCH_SIZE, poll_seconds=5
        ),
        Job.REVIEW_TEMPLATES: PollingLoop(
            templates.review_templates, batch=templates.REVIEW_BATCH, poll_seconds=1
        ),
        **{job: loop() for package in PACKAGES for job, loop in package.work.items()},
        **_entry_loops(),
    }


def _entry_loops() -> dict[Job, WorkerLoop]:
    """Of journeys: who comes in and who is taken out, and the members of watched segments."""
    return {
        Job.ENTER_JOURNEYS: PollingLoop(journeys.take_entries, batch=1, poll_seconds=0.5),
        Job.COMPARE_SEGMENTS: PollingLoop(journeys.compare_due, batch=1, poll_seconds=2),
    }


class LocalQueue:
    """Wake-ups that a worker causes itself stay in its process, in the cell in which they come up."""

    def __init__(self) -> None:
        self.loops: dict[Cell, Mapping[Job, WorkerLoop]] = {}

    async def wake(self, job: Job) -> None:
        """Let the loop of this job look now."""
        if loops := self.loops.get(cells.current()):
            loops[job].wake()
