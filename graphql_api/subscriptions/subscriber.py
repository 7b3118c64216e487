"""One subscription of one socket: what it is told at once, and what waits until its client has
read.
"""

import asyncio
from collections import deque

from core.foundation.pubsub import ListenerTooSlow, NoticesLost
from graphql_api.subscriptions.outlet import Outlet
from graphql_api.subscriptions.protocol import Closing
from graphql_api.subscriptions.results import ResultFrames, ResultReader, SubscriptionResult

MAX_WAITING = 10_000
"""Results that a client may be behind in reading."""

MAX_WAITING_BYTES = 4_000_000
"""The same in bytes."""

MAX_WAITING_BYTES_OF_ALL = 256_000_000
"""Bytes that may wait for all clients of the process; above it, whoever holds more than the average
has to go.
"""


class Waiting:
    """What waits for the clients of this process."""

    def __init__(self) -> None:
        self.subscribers = 0
        self.bytes = 0

    def is_too_much(self, size: int) -> bool:
        """Whether somebody for whom so many bytes wait has to go."""
        if size > MAX_WAITING_BYTES:
            return True
        return self.bytes > MAX_WAITING_BYTES_OF_ALL and size * self.subscribers >= self.bytes


waiting = Waiting()


class Subscriber:
    """`over` is done when nothing more will come: with the reason as its exception, if there is
    one.
    """

    def __init__(self, outlet: Outlet, reader: ResultReader) -> None:
        self.outlet = outlet
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reader = reader
        self._waiting: deque[SubscriptionResult] = deque()
        self._bytes = 0
        self._catching_up: asyncio.Task[None] | None = None

    def tell(self, frames: ResultFrames) -> None:
        """Write now, or, to a client that is behind in reading, as soon as it has read. It never
        waits.
        """
        write = self.outlet.write
        if self._catching_up is None and write is not None and write(frames.of(self._reader)):
            return
        if self._catching_up is None:
            waiting.subscribers += 1
            self._catching_up = asyncio.create_task(self._catch_up())
        self._waiting += frames.results
        self._count(sum(result.size for result in frames.results))
        if len(self._waiting) > MAX_WAITING or waiting.is_too_much(self._bytes):
            self.cut_off(ListenerTooSlow())

    def cut_off(self, lost: NoticesLost) -> None:
        """It was not told of something."""
        self.outlet.close(Closing(1013, lost.detail))

    def end(self, error: Exception | None) -> None:
        """Nothing more will come."""
        if not self.over.done():
            if error is None:
                self.over.set_result(None)
            else:
                self.over.set_exception(error)

    async def finished(self) -> None:
        """Return once nothing more will come and all that came is written. Raises why it ended."""
        try:
            await self.over
        finally:
            if self._catching_up is not None and not self.over.cancelled():
                await self._catching_up

    async def leave(self) -> None:
        """It wants no more: what waits is dropped."""
        self.over.cancel()
        if self._catching_up is not None:
            self._catching_up.cancel()
            await asyncio.gather(self._catching_up, return_exceptions=True)
        self._drop()  # also of a task that had not begun

    async def _catch_up(self) -> None:
        try:
            while self._waiting:
                await self.outlet.still_welcome()
                await self.outlet.send(self._waiting[0].message(self._reader).decode())
                self._count(-self._waiting.popleft().size)
        except Closing as closing:
            self.outlet.close(closing)
        finally:
            self._drop()

    def _drop(self) -> None:
        if self._catching_up is not None:
            self._catching_up = None
            self._waiting.clear()
            self._count(-self._bytes)
            waiting.subscribers -= 1

    def _count(self, size: int) -> None:
        self._bytes += size
        waiting.bytes += size
