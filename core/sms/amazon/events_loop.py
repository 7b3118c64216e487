"""The worker's loop that reads Amazon's queue: received, applied together, deleted.

What is not deleted comes again: after a crash, an outage, a reply that overtook its message. So
nothing is deleted before it is committed. A message that fails by itself stays behind alone; the
queue's own limit moves it to its dead letters.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

import aiohttp
import structlog

from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.settings import Settings, current
from core.foundation.slices import slices
from core.providers.amazon.calls import SQS_API, AwsError
from core.providers.amazon.opening import api_at_queue
from core.providers.amazon.queue import BATCH_SIZE, EventQueue, Queued
from core.providers.gateway.session import open_session
from core.sms.amazon.apply import apply_told

RECEIVERS = 20
"""Calls that are under way at once while the queue is full: what they bring is applied together."""
APPLIED_MEANWHILE = 1
"""Batches that are applied and deleted while the next one is received."""
REST_SECONDS = 5.0
"""After a call that failed."""
MAX_EVENT_AGE = timedelta(hours=24)
"""How long a reply is told again whose message is not known."""

log = structlog.get_logger()

Answer = TypeVar("Answer")


class AmazonEvents:
    """Reads the queue of SVC_AMAZON_EVENTS_QUEUE until told to stop; rests where none is set."""

    def wake(self) -> None:
        """Nothing: the queue itself holds a call until something comes."""

    async def run(self, stop: asyncio.Event, batches: Batches) -> None:
        """Receive, apply, delete; what has been received is finished."""
        settings = current()
        if settings.amazon_events_queue is None:
            await stop.wait()
            return
        async with open_session() as session:
            queue = queue_of(settings, session)
            while not stop.is_set():
                try:
                    await _read(queue, stop, batches)
                except AwsError as error:
                    tell_outage("amazon_queue_away", error)
                    await _unless(stop, asyncio.sleep(REST_SECONDS))


async def _read(queue: EventQueue, stop: asyncio.Event, batches: Batches) -> None:
    """Read until told to stop. While the queue is full, the next batch is received while the last
    one is applied. Raises AwsError, and an outage of the database.
    """
    under_way: deque[asyncio.Task[None]] = deque()
    try:
        while not stop.is_set():
            received = await _unless(stop, _receive(queue)) or []
            if received:
                under_way.append(asyncio.create_task(_take_measured(queue, received, batches)))
            is_full = len(received) > BATCH_SIZE
            while len(under_way) > (APPLIED_MEANWHILE if is_full else 0):
                await under_way.popleft()
    finally:
        # After an error too: what has been received is finished.
        ended = await asyncio.gather(*under_way, return_exceptions=True)
    for error in ended:
        if isinstance(error, BaseException):
            raise error


async def _take_measured(queue: EventQueue, received: list[Queued], batches: Batches) -> None:
    started = time.perf_counter()
    await take(queue, received)
    batches.done(len(received), started=started)


def queue_of(settings: Settings, session: aiohttp.ClientSession) -> EventQueue:
    """The queue that the settings name."""
    assert settings.amazon_events_queue is not None
    api = api_at_queue(SQS_API, settings, session)
    return EventQueue(api, settings.amazon_events_queue)


async def _receive(queue: EventQueue) -> list[Queued]:
    """What is there: one call that waits, and more at once where it came back full."""
    received = await queue.receive()
    if len(received) == BATCH_SIZE:
        more = await asyncio.gather(
            *(queue.receive(wait=0) for _ in range(RECEIVERS - 1)), return_exceptions=True
        )
        received += [one for batch in more if isinstance(batch, list) for one in batch]
    return received


async def take(queue: EventQueue, received: Sequence[Queued]) -> None:
    """Apply what was received and delete what is done with. Raises AwsError, and an outage of the
    database.
    """
    done = await _apply(received)
    await asyncio.gather(*map(queue.delete, slices(done, BATCH_SIZE)))


async def _apply(received: Sequence[Queued]) -> list[Queued]:
    """All together; one after the other where one of them fails. Answers what is done with."""
    at = now()
    try:
        told = await apply_told([one.text for one in received], at=at)
    except Exception as error:
        if is_outage(error) or len(received) == 1:
            if not is_outage(error):
                log.exception("amazon_event_failed")
                return []
            raise
        return [one for each in received for one in await _apply([each])]
    return [
        one
        for one, is_done in zip(received, told, strict=True)
        if is_done or (one.sent_at is not None and at - one.sent_at > MAX_EVENT_AGE)
    ]


async def _unless(stop: asyncio.Event, work: Awaitable[Answer]) -> Answer | None:
    """What the work answers; None once somebody wants to stop."""
    task, ending = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, ending}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ending.cancel()
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    return None if task.cancelled() else task.result()
