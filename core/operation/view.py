"""A look at the servers and queues, shared for a few seconds by whoever asks."""

import asyncio
import platform
import time
from dataclasses import dataclass, field

import redis.asyncio as redis

from core.foundation.clock import now
from core.foundation.observability import metrics
from core.foundation.observability.metrics import Reading
from core.foundation.version import own_version
from core.operation.queues import Backlog, measure_queues

KEEP_SECONDS = 5.0
"""However often somebody scrapes, the database is asked no more often than this."""
PATIENCE = 2.0

DATABASE_UP = Reading("svc_database_up", "1: PostgreSQL answered within two seconds.")
REDIS_UP = Reading("svc_redis_up", "1: Redis answered within two seconds.")
DUE = Reading("svc_queue_due", "Rows that wait to be done now, counted up to 100000.", ("queue",))
OLDEST = Reading(
    "svc_queue_oldest_seconds", "For how long the oldest of them has been due.", ("queue",)
)
BUILD = Reading(
    "svc_build_info", "1, with the version of the service and of Python.", ("version", "python")
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What was found. Without a database nothing is known of the queues."""

    database: bool
    redis: bool
    queues: list[Backlog] = field(default_factory=list)


class View:
    """Looks at most once every few seconds, however many ask."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client
        self._lock = asyncio.Lock()
        self._seen: Standing | None = None
        self._fresh_until = 0.0

    async def standing(self) -> Standing:
        """What holds now, or did a few seconds ago."""
        async with self._lock:  # several scrapes at once share one look
            if self._seen is None or time.monotonic() >= self._fresh_until:
                queues, alive = await asyncio.gather(_queues(), _answers(self._redis))
                self._seen = Standing(queues is not None, alive, queues or [])
                self._fresh_until = time.monotonic() + KEEP_SECONDS
            return self._seen

    async def page(self) -> bytes:
        """All metrics, in the media type `metrics.MEDIA_TYPE`. Never fails for what is away."""
        standing = await self.standing()
        # In a thread: a long page would hold up requests for milliseconds.
        return await asyncio.to_thread(metrics.as_page, _readings(standing))


async def _queues() -> list[Backlog] | None:
    try:
        async with asyncio.timeout(PATIENCE):
            return await measure_queues(at=now())
    except Exception:  # the page says so by svc_database_up
        return None


async def _answers(client: "redis.Redis") -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            await client.ping()
    except Exception:
        return False
    return True


def _readings(standing: Standing) -> metrics.Readings:
    return {
        DATABASE_UP: {(): float(standing.database)},
        REDIS_UP: {(): float(standing.redis)},
        DUE: {(queue.queue,): float(queue.due) for queue in standing.queues},
        OLDEST: {(queue.queue,): queue.oldest_seconds for queue in standing.queues},
        BUILD: {(own_version(), platform.python_version()): 1.0},
    }
