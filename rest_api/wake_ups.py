"""Wake-ups from the API to the workers, as arq jobs."""

import asyncio

import orjson
from arq.connections import ArqRedis, RedisSettings, create_pool

from core.foundation.jobs import QUEUE_NAME, Job

PATIENCE = 2.0
"""A Redis that hangs must not gather wake-ups; the workers' poll finds the rows."""


class ArqQueue:
    """Leaves one job per kind in Redis; one that is waiting already is enough."""

    def __init__(self, redis_url: str) -> None:
        self._settings = RedisSettings.from_dsn(redis_url)
        self._settings.conn_retries = 0
        self._settings.conn_timeout = 2
        self._pool: ArqRedis | None = None

    async def wake(self, job: Job) -> None:
        """Ask a worker to look for due rows of this kind."""
        async with asyncio.timeout(PATIENCE):
            if self._pool is None:
                self._pool = await create_pool(
                    self._settings,
                    default_queue_name=QUEUE_NAME,
                    job_serializer=orjson.dumps,
                    job_deserializer=orjson.loads,
                )
            await self._pool.enqueue_job(job.value, _job_id=job.value)

    async def close(self) -> None:
        """Give the connections back."""
        if self._pool is not None:
            await self._pool.aclose()
