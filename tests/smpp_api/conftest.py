"""A listener of this process, and clients of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from core.foundation.security import rate_limit
from smpp_api import deliveries
from smpp_api import listener as listeners
from smpp_api.listener import Listener
from tests.smpp_api.client import Client


class Smsc:
    """The listener, and the clients that a test connects to it."""

    def __init__(self, listener: Listener, port: int, stopping: asyncio.Event) -> None:
        self.listener = listener
        self.port = port
        self._stopping = stopping
        self._clients: list[Client] = []

    async def client(self) -> Client:
        """Another connection."""
        client = await Client.connected(self.port)
        self._clients.append(client)
        return client

    async def stop(self, *, seconds: float) -> None:
        """Stop as the process does."""
        self._stopping.set()
        await self.listener.stop(seconds=seconds)

    def close(self) -> None:
        for client in self._clients:
            client.cut()


@pytest.fixture
async def smsc(real_commits: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Smsc]:
    """A listener on loopback whose database is that of the tests; it looks often."""
    monkeypatch.setattr(deliveries, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(listeners, "LOOK_SECONDS", 0.05)
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    listener, stop = Listener(), asyncio.Event()
    port = await listener.listen("127.0.0.1", 0, tls=None)
    running = asyncio.create_task(listener.run(stop))
    smsc = Smsc(listener, port, stop)
    yield smsc
    smsc.close()
    stop.set()
    with suppress(asyncio.CancelledError):
        await running
    await listener.stop(seconds=2)
