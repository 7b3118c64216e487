"""The publisher: notices of committed changes (docs/decisions, 9).

A use case only queues notices; a task of the process publishes them, all that came together in one
round trip. Nobody asks first whether somebody listens: PUBLISH answers that by itself. Channels
that nobody heard the last time are told a few times a second, so that an idle service pays next to
nothing and a new listener still misses nothing.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

import structlog

from core.foundation.database.transactions import after_commit, outside_transaction
from core.foundation.pubsub.notices import Notice, channel_of, packed
from core.foundation.slices import slices

if TYPE_CHECKING:
    import redis.asyncio as redis


log = structlog.get_logger()

GATHER_SECONDS = 0.02
"""How long notices are gathered while somebody listens."""

IDLE_GATHER_SECONDS = 0.2
"""How long they are gathered while nobody does."""

RETRY_DELAY_SECONDS = 1.0
"""How long Redis is left alone after it failed; what is announced meanwhile is lost."""

MAX_WAITING = 20_000
MAX_BATCH_SIZE = 1_000
"""Notices of one message."""


class Publisher:
    """Publishes notices through a Redis client whose calls end within a second or so."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._waiting: list[Notice] = []
        self._heard: set[tuple[str, str]] = set()
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._away = False
        self._away_until = 0.0

    def take(self, notices: Iterable[Notice]) -> None:
        """Queue notices for the next round trip. More than it holds, or while Redis is away,
        they are lost.
        """
        loop = asyncio.get_running_loop()
        if loop.time() < self._away_until:
            return
        taken = list(islice(notices, MAX_WAITING - len(self._waiting)))
        self._waiting += taken
        if self._heard and any((one.organization_id, one.env) in self._heard for one in taken):
            self._hurry.set()
        if self._task is None and taken:
            # Not in the context of a transaction, which the task would outlive.
            self._task = loop.create_task(self._tell_all(), context=outside_transaction())

    async def close(self) -> None:
        """Tell what waits, and end."""
        self._hurry.set()
        if self._task is not None:
            await self._task

    async def _tell_all(self) -> None:
        try:
            while self._waiting:
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_GATHER_SECONDS):
                        await self._hurry.wait()
                    await asyncio.sleep(GATHER_SECONDS)
                self._hurry.clear()
                waiting, self._waiting = self._waiting, []
                await self._tell(waiting)
        finally:
            self._task = None

    async def _tell(self, notices: list[Notice]) -> None:
        by_owner: dict[tuple[str, str], list[Notice]] = {}
        for notice in notices:
            by_owner.setdefault((notice.organization_id, notice.env), []).append(notice)
        messages = [
            (owner, packed(part))
            for owner, told in by_owner.items()
            for part in slices(told, MAX_BATCH_SIZE)
        ]
        try:
            pipeline = self._client.pipeline(transaction=False)
            for owner, message in messages:
                pipeline.publish(channel_of(*owner), message)
            receivers = await pipeline.execute()
        except Exception as error:  # the rows are the truth: a listener only looks later
            if not self._away:
                log.warning("notices_lost", error=type(error).__name__)
            self._away, self._away_until = (
                True,
                asyncio.get_running_loop().time() + RETRY_DELAY_SECONDS,
            )
            return
        self._away = False
        for (owner, _), count in zip(messages, receivers, strict=True):
            (self._heard.add if count else self._heard.discard)(owner)


_publisher: Publisher | None = None


def use_publisher(publisher: Publisher | None) -> None:
    """Tell this process how notices leave it; None: they do not."""
    global _publisher
    _publisher = publisher


async def publish(notices: Iterable[Notice]) -> None:
    """Publish changes: now, or, inside a transaction, once it has committed. Never fails, never
    waits for Redis.

    The notices are made only then, if at all: give a generator.
    """
    if _publisher is not None:
        await after_commit(_Leaving(_publisher, notices))


class _Leaving:
    __slots__ = ("_notices", "_publisher")

    def __init__(self, publisher: Publisher, notices: Iterable[Notice]) -> None:
        self._publisher = publisher
        self._notices = notices

    async def __call__(self) -> None:
        self._publisher.take(self._notices)
