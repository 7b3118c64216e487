"""One worker process: every pump, the alarm clock, and an orderly end."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack

import structlog
import uvloop

from core import conversations, email, operations, push, rcs, sms, templates, webhooks
from core.conversations import inbound
from core.foundation import files, http_client, jobs, pubsub
from core.foundation.database import db
from core.foundation.ids import random_base62
from core.foundation.jobs import Job
from core.foundation.redis_address import open_redis
from core.foundation.settings import Settings, current
from core.providers import registry
from core.providers.push import open_services
from workers.alarm import listen
from workers.heartbeat import beat, key_of
from workers.observed import observed
from workers.pumps import Pump, keep_running

log = structlog.get_logger()

ENDED_AT_ONCE = 1
"""The exit status of a worker that was told to stop twice."""


def run() -> None:
    """Run a worker in this process until SIGTERM or SIGINT."""
    uvloop.run(_main())


async def _main() -> None:
    stop = asyncio.Event()

    def end() -> None:
        if stop.is_set():
            os._exit(ENDED_AT_ONCE)  # told twice; leases and locks of what is cut off run out
        log.info("worker_stopping")
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await work(current(), stop)


async def work(settings: Settings, stop: asyncio.Event) -> None:
    """Work until `stop` is set, then finish what has begun."""
    await db.open_database(settings)
    alive = key_of(await operations.database_id(), random_base62(8))
    await registry.open_providers(settings)
    http = http_client.open_client(webhooks.policy(), limit=webhooks.MAX_CONNECTIONS)
    opened = AsyncExitStack()
    push_services = await opened.enter_async_context(open_services(webhooks.policy()))
    pulse = open_redis(settings.redis_url, seconds=2, answer_seconds=2)
    pumps: dict[Job, Pump | webhooks.Dispatcher | conversations.QueueDispatcher] = {
        Job.DELIVER_WEBHOOKS: webhooks.Dispatcher(http),
        Job.RESUME_WEBHOOKS: Pump(
            webhooks.resume_queues, batch=webhooks.RESUME_BATCH_SIZE, poll_seconds=1
        ),
        Job.ASSIGN_FEED_POSITIONS: Pump(
            webhooks.Sequencer().assign, batch=webhooks.FEED_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.APPLY_SANDBOX_REPORTS: Pump(
            sms.apply_due_reports, batch=sms.REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.SETTLE_FORGOTTEN: Pump(sms.reconcile, batch=sms.STUCK_BATCH_SIZE, poll_seconds=2),
        Job.START_PUSH: Pump(push.start_due, batch=push.START_BATCH, poll_seconds=1),
        Job.SEND_PUSH: Pump(
            push.LiveSender(push_services.provider_for).drain, batch=1, poll_seconds=1
        ),
        Job.SEND_SANDBOX_PUSH: Pump(push.drain_sandbox, batch=push.SANDBOX_BATCH, poll_seconds=1),
        Job.APPLY_RCS_REPORTS: Pump(
            rcs.apply_due_reports, batch=rcs.REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.SETTLE_RCS: Pump(rcs.reconcile, batch=rcs.STUCK_BATCH_SIZE, poll_seconds=2),
        Job.HAND_OVER_LETTERS: Pump(
            email.hand_over_due, batch=email.OUTBOX_BATCH_SIZE, poll_seconds=1
        ),
        Job.APPLY_EMAIL_REPORTS: Pump(
            email.apply_due_reports, batch=email.REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.REVIEW_TEMPLATES: Pump(
            templates.review_templates, batch=templates.REVIEW_BATCH, poll_seconds=1
        ),
        Job.SEND_CONVERSATIONS: conversations.QueueDispatcher(),
        Job.SETTLE_CONVERSATIONS: Pump(
            conversations.reconcile, batch=conversations.STUCK_BATCH, poll_seconds=5
        ),
        Job.APPLY_CONVERSATION_REPORTS: Pump(
            conversations.apply_due_reports, batch=conversations.REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.APPLY_NOTICES: Pump(
            inbound.apply_due_notices, batch=inbound.NOTICE_BATCH_SIZE, poll_seconds=1
        ),
        Job.FETCH_RECEIVED_MEDIA: Pump(
            inbound.fetch_received, batch=inbound.FILE_BATCH_SIZE, poll_seconds=5
        ),
        Job.TRY_PARKED_NOTICES: Pump(
            conversations.retry_unmatched, batch=conversations.UNMATCHED_BATCH_SIZE, poll_seconds=5
        ),
        Job.TRY_PARKED: Pump(sms.retry_unmatched, batch=sms.UNMATCHED_BATCH_SIZE, poll_seconds=5),
    }
    jobs.use_queue(OwnPumps(pumps))
    announcer = pubsub.Announcer(pulse)
    pubsub.use_announcer(announcer)
    try:
        async with observed(settings, pulse), asyncio.TaskGroup() as group:
            for job, pump in pumps.items():
                group.create_task(keep_running(job.value, pump.run, stop))
            group.create_task(
                listen(settings.redis_url, {job.value: pump for job, pump in pumps.items()}, stop)
            )
            group.create_task(beat(pulse, alive, stop))
            group.create_task(_rouse(pumps, stop))
    finally:
        pubsub.use_announcer(None)
        await announcer.close()
        jobs.use_queue(None)
        await http.close()
        await opened.aclose()
        await files.close_blob_store()
        await pulse.aclose()
        await registry.close_providers()
        await db.close_database()
        log.info("worker_stopped")


async def _rouse(
    pumps: dict[Job, Pump | webhooks.Dispatcher | conversations.QueueDispatcher],
    stop: asyncio.Event,
) -> None:
    """Let pumps that rest see at once that they are to stop."""
    await stop.wait()
    for pump in pumps.values():
        pump.wake()


class OwnPumps:
    """Wake-ups that a worker causes itself stay in its process."""

    def __init__(
        self, pumps: dict[Job, Pump | webhooks.Dispatcher | conversations.QueueDispatcher]
    ) -> None:
        self._pumps = pumps

    async def wake(self, job: Job) -> None:
        """Let the pump of this job look now."""
        self._pumps[job].wake()
