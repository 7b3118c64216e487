"""Wake-ups from the API to the workers, as arq jobs."""

import asyncio

import orjson
from arq.connections import ArqRedis

from core.foundation.database.cell import current
from core.foundation.jobs import QUEUE_NAME, Job, name_in, queue_of
from core.foundation.redis_address import open_pool

WAKE_UP_TIMEOUT = 2.0
"""A Redis that hangs must not gather wake-ups; the workers' poll finds the rows."""


class ArqQueue:
    """Leaves one job per kind and cell in Redis; one that is waiting already is enough."""

    def __init__(self, redis_url: str) -> None:
        self._pool = open_pool(redis_url, seconds=WAKE_UP_TIMEOUT)
        self._redis = ArqRedis(
            self._pool,
            default_queue_name=QUEUE_NAME,
            job_serializer=orjson.dumps,
            job_deserializer=orjson.loads,
        )

    async def wake(self, job: Job) -> None:
        """Ask a worker to look for due rows of this kind."""
        async with asyncio.timeout(WAKE_UP_TIMEOUT):
            cell = current()
            await self._redis.enqueue_job(
                job.value, _job_id=name_in(cell, job.value), _queue_name=queue_of(cell)
            )

    async def close(self) -> None:
        """Give the connections back."""
        await self._pool.disconnect()
