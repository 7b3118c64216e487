"""What an API process opens at its start and closes at its end."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import redis.asyncio as redis
from starlette.applications import Starlette

from core.foundation import db, jobs, logs, outbound, rate_limit
from core.foundation.settings import current
from core.providers import registry
from rest_api.wake_ups import ArqQueue


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the database and Redis; a Redis that is down does not keep the API from starting."""
    settings = current()
    logs.configure(settings.log_level)
    await db.open_database(settings)
    await registry.open_providers(settings)
    # Sends take their allowance from it: one that hangs must not hold them up.
    client = redis.Redis.from_url(settings.redis_url, socket_connect_timeout=0.5, socket_timeout=0.5)
    app.state.redis = client
    app.state.schema_is_current = False
    rate_limit.use_buckets(rate_limit.RedisBuckets(client))
    queue = ArqQueue(settings.redis_url)
    jobs.use_queue(queue)
    spare_the_collector()
    try:
        yield
    finally:
        jobs.use_queue(None)
        await queue.close()
        await outbound.close_clients()
        await client.aclose()
        await registry.close_providers()
        await db.close_database()


def spare_the_collector() -> None:
    """Take what start-up made out of the cyclic collector's sight and let it run more rarely.

    Its pauses were the slowest requests of a Python server; requests themselves leave few cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
