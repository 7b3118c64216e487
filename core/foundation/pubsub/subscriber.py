"""The subscriber: one Redis connection of the process, and a bounded buffer for each listener.

The connection lives only while somebody listens. When Redis restarts it is made anew; what was
announced meanwhile is lost, and whoever listened is told that: they come again and read again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import redis.asyncio as redis
import structlog

from core.foundation.database.transactions import outside_transaction
from core.foundation.errors import ServiceUnavailable
from core.foundation.pauses import pause
from core.foundation.pubsub.notices import ReceivedNotice, channel_of, unpacked
from core.foundation.redis_address import open_pool

log = structlog.get_logger()

MAX_PENDING = 10_000
"""Records that a listener may be behind."""

BURST_SIZE = 100
"""Records that a listener is given at once."""

MIN_BURST_INTERVAL_SECONDS = 0.1
"""Between two bursts that are not full, so that many listeners do not read for each notice alone.
"""

READY_TIMEOUT_SECONDS = 2.0
"""How long a new listener waits for Redis; without it, it hears as soon as Redis is back."""

RECONNECT_DELAY_SECONDS = 0.5
PING_INTERVAL_SECONDS = 15.0
SILENCE_TIMEOUT_SECONDS = 40.0
"""A server that has not even answered pings for so long is gone."""

Wanted = Callable[[ReceivedNotice], bool]


class NoticesLost(ServiceUnavailable):
    """A listener was not told of something, and hears nothing more."""


class ListenerTooSlow(NoticesLost):
    """It fell too far behind."""

    default_detail = "This reader is too slow for what happens; connect again and ask for less."


class ListeningInterrupted(NoticesLost):
    """Redis was away, and what was announced meanwhile is lost."""

    default_detail = (
        "Changes of the last moments may not have been told; connect again and read "
        "what is shown anew."
    )


OnCutOff = Callable[[NoticesLost], object]
"""Called from within the hub when a listener has missed something."""


class NoticeListener:
    """What somebody wants to hear of and has not read yet: each record once, however often it
    changed.
    """

    def __init__(self, wanted: Wanted, cut_off: OnCutOff) -> None:
        self._wanted = wanted
        self._cut_off = cut_off
        self._pending: dict[tuple[str, str], ReceivedNotice] = {}
        self._something = asyncio.Event()
        self._lost: NoticesLost | None = None
        self._rests_until = 0.0

    def offer(self, notices: list[ReceivedNotice]) -> None:
        """Note what it wants of these. More than it may be behind: it is told so, and hears nothing
        more.
        """
        if self._lost is not None:
            return
        for notice in notices:
            if self._wanted(notice):
                self._pending[notice.topic, notice.id] = notice
        if len(self._pending) > MAX_PENDING:
            self.lose(ListenerTooSlow())
        elif self._pending:
            self._something.set()

    def lose(self, lost: NoticesLost) -> None:
        """It was not told of something: it is told that, once, and hears nothing more."""
        if self._lost is None:
            self._pending.clear()
            self._lost = lost
            self._something.set()
            self._cut_off(lost)

    async def burst(self) -> list[ReceivedNotice]:
        """The next notices, at least one, oldest first. Raises NoticesLost."""
        await self._something.wait()
        clock = asyncio.get_running_loop().time
        if len(self._pending) < BURST_SIZE and (rest := self._rests_until - clock()) > 0:
            await asyncio.sleep(rest)
        if self._lost is not None:
            raise self._lost
        self._rests_until = clock() + MIN_BURST_INTERVAL_SECONDS
        taken = [self._pending.pop(key) for key in list(self._pending)[:BURST_SIZE]]
        if not self._pending:
            self._something.clear()
        return taken


class Hub:
    """Hands what Redis tells to the listeners of this process."""

    def __init__(self, redis_url: str) -> None:
        self._pool = open_pool(redis_url, seconds=2)
        self._listeners: dict[str, set[NoticeListener]] = {}
        self._ready: dict[str, asyncio.Event] = {}
        """Whether Redis has confirmed a channel that is listened to."""
        self._changed = asyncio.Event()
        self._away = False
        self._task: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """How many listen."""
        return sum(map(len, self._listeners.values()))

    @property
    def connected(self) -> bool:
        """Whether the connection to Redis is needed, and so kept up."""
        return self._task is not None

    @asynccontextmanager
    async def listening(
        self, organization_id: str, env: str, *, wanted: Wanted, cut_off: OnCutOff
    ) -> AsyncIterator[NoticeListener]:
        """Listen to what changes there, from the moment the block is entered. `cut_off` is called
        when the listener falls too far behind, and when Redis was away.
        """
        channel = channel_of(organization_id, env)
        listener = NoticeListener(wanted, cut_off)
        self._listeners.setdefault(channel, set()).add(listener)
        ready = self._ready.setdefault(channel, asyncio.Event())
        self._look()
        try:
            await pause(READY_TIMEOUT_SECONDS, until=ready)
            yield listener
        finally:
            self._listeners[channel].discard(listener)
            if not self._listeners[channel]:
                del self._listeners[channel], self._ready[channel]
                self._look()

    async def close(self) -> None:
        """Give the connection back; the listeners hear nothing more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._pool.disconnect()

    def _look(self) -> None:
        self._changed.set()
        if self._task is None and self._listeners:
            # Not in the context of a transaction, which the task would outlive.
            self._task = asyncio.get_running_loop().create_task(
                self._keep_up(), context=outside_transaction()
            )

    async def _keep_up(self) -> None:
        try:
            while self._listeners:
                try:
                    await self._connected()
                except Exception as error:
                    for ready in self._ready.values():
                        ready.clear()
                    if not self._away:
                        log.warning("listening_interrupted", error=type(error).__name__)
                    self._away = True
                    await asyncio.sleep(RECONNECT_DELAY_SECONDS)
        finally:
            self._task = None

    async def _connected(self) -> None:
        """Keep the connection's channels those that somebody listens to, until nobody does."""
        connection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(SILENCE_TIMEOUT_SECONDS):
                await connection.connect()
            if self._away:
                self._away = False
                self._tell_of_the_gap()
            reading = asyncio.create_task(self._read(connection))
            try:
                await self._follow(connection, reading)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
        finally:
            await connection.disconnect(nowait=True)

    def _tell_of_the_gap(self) -> None:
        for listener in [one for listeners in self._listeners.values() for one in listeners]:
            listener.lose(ListeningInterrupted())

    async def _follow(self, connection: redis.Connection, reading: "asyncio.Task[None]") -> None:
        told: set[str] = set()
        while self._listeners:
            self._changed.clear()
            wanted = set(self._listeners)
            if new := wanted - told:
                await connection.send_command("SUBSCRIBE", *new)
            if gone := told - wanted:
                await connection.send_command("UNSUBSCRIBE", *gone)
            for kept in wanted & told:  # also one that was left and is listened to again
                if ready := self._ready.get(kept):
                    ready.set()
            told = wanted
            changed = asyncio.ensure_future(self._changed.wait())
            try:
                done, _ = await asyncio.wait(
                    {changed, reading},
                    timeout=PING_INTERVAL_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            finally:
                changed.cancel()
            if reading in done:
                reading.result()
            if not done:
                await connection.send_command("PING")

    async def _read(self, connection: redis.Connection) -> None:
        while True:
            async with asyncio.timeout(SILENCE_TIMEOUT_SECONDS):
                # A message has data, a confirmation has a count, an answer to a ping has neither.
                kind, channel, *said = await connection.read_response(disconnect_on_error=False)
            name = channel.decode()
            if kind == b"message":
                self._offer(name, said[0])
            elif kind == b"subscribe" and name in self._ready:
                self._ready[name].set()

    def _offer(self, channel: str, message: bytes) -> None:
        try:
            notices = unpacked(message)
        except (TypeError, ValueError) as error:  # of another version of the service
            log.warning("notices_unreadable", error=type(error).__name__)
            return
        for listener in tuple(self._listeners.get(channel, ())):
            listener.offer(notices)


_hub: Hub | None = None


def use_hub(hub: Hub | None) -> None:
    """Tell this process how it listens; None: it does not."""
    global _hub
    _hub = hub


def hub() -> Hub:
    """How this process listens. Raises ServiceUnavailable where it does not."""
    if _hub is None:
        raise ServiceUnavailable
    return _hub
