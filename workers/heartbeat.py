"""A worker's sign of life in Redis, for `svc doctor`. It names the database: several may share a
Redis.
"""

import asyncio
from contextlib import suppress

import redis.asyncio as redis

from core.foundation.clock import now, wire_time

KEY = "svc:alive:worker:"
EVERY_SECONDS = 5.0
LIFETIME_SECONDS = 20


def key_of(database: str, name: str) -> str:
    """Where a worker of this database gives its sign of life."""
    return f"{KEY}{database}:{name}"


async def beat(client: "redis.Redis", key: str, stop: asyncio.Event) -> None:
    """Say every few seconds that this process lives, and take it back at the end."""
    while not stop.is_set():
        with suppress(Exception):  # Redis is away: nothing depends on a heartbeat
            await client.set(key, wire_time(now()), ex=LIFETIME_SECONDS)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), EVERY_SECONDS)
    with suppress(Exception):
        await client.delete(key)
