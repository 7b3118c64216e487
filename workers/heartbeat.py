"""Heartbeat of a worker in Redis, for `svc doctor`.

It names the database: several may share a Redis.
"""

import asyncio
from contextlib import suppress

import redis.asyncio as redis

from core.foundation.clock import now, wire_time
from core.foundation.pauses import pause

KEY_PREFIX = "svc:alive:worker:"
INTERVAL_SECONDS = 5.0
TTL_SECONDS = 20


def key_of(database: str, name: str) -> str:
    """Where a worker of this database gives its sign of life."""
    return f"{KEY_PREFIX}{database}:{name}"


async def beat(client: "redis.Redis", key: str, stop: asyncio.Event) -> None:
    """Say every few seconds that this process lives, and take it back at the end."""
    while not stop.is_set():
        with suppress(Exception):  # Redis is away: nothing depends on a heartbeat
            await client.set(key, wire_time(now()), ex=TTL_SECONDS)
        await pause(INTERVAL_SECONDS, until=stop)
    with suppress(Exception):
        await client.delete(key)
