"""A worker's sign of life in Redis, for `svc doctor`."""

import asyncio
from contextlib import suppress

import redis.asyncio as redis

from core.foundation.clock import now, wire_time

KEY = "svc:alive:"
EVERY_SECONDS = 5.0
LIFETIME_SECONDS = 20


async def beat(client: "redis.Redis", name: str, stop: asyncio.Event) -> None:
    """Say every few seconds that this process lives, and take it back at the end."""
    while not stop.is_set():
        with suppress(Exception):  # Redis is away: nothing depends on a heartbeat
            await client.set(KEY + name, wire_time(now()), ex=LIFETIME_SECONDS)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), EVERY_SECONDS)
    with suppress(Exception):
        await client.delete(KEY + name)
