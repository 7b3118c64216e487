"""Connection pool: connections that are kept for the next request, and a bound on all of them."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from core.foundation.http_client.connection import HttpConnection
from core.foundation.http_client.errors import ClientClosed
from core.foundation.http_client.request_head import HttpOrigin

# Below the five seconds after which common servers drop an idle connection: a POST that meets the
# drop on its way fails, and is not repeated on its own.
IDLE_SECONDS = 4.0

Connect = Callable[[HttpOrigin, float], Awaitable[HttpConnection]]


class ConnectionPool:
    """At most `limit` connections, in use or idle; who comes later waits in turn.

    An idle connection belongs to one origin and is used again for it alone, the latest first. It
    goes when it has been idle for four seconds, when its place is needed, when the peer ends it,
    and when the peer says anything.
    """

    def __init__(self, connect: Connect, *, limit: int) -> None:
        self._connect = connect
        self._limit = limit
        self._places = 0
        """Taken by connections in use, by those that are being made, and by whoever is handed one."""
        self._in_use: dict[HttpConnection, HttpOrigin] = {}
        self._idle: dict[HttpOrigin, dict[HttpConnection, None]] = {}
        self._idle_since: OrderedDict[HttpConnection, tuple[HttpOrigin, float]] = OrderedDict()
        self._waiting: OrderedDict[asyncio.Future[HttpConnection | None], HttpOrigin] = (
            OrderedDict()
        )
        self._sweep: asyncio.TimerHandle | None = None
        self.closed = False

    @property
    def in_use(self) -> int:
        """How many connections are in use or being made."""
        return self._places

    @property
    def idle(self) -> int:
        """How many connections wait for another request."""
        return len(self._idle_since)

    async def acquire(self, origin: HttpOrigin, *, connect_timeout: float) -> HttpConnection:
        """A connection to send one request on; `release` it afterwards, whatever happened.

        Raises ClientClosed, and what connecting raises.
        """
        if self.closed:
            raise ClientClosed("the client is closed")
        connection = self._idle_one(origin)
        if connection is None and not self._take_place():
            connection = await self._wait_in_turn(origin)
        if connection is None or not connection.is_open:
            try:
                connection = await self._connect(origin, connect_timeout)
            except BaseException:
                self._pass_on(None, origin)
                raise
        self._in_use[connection] = origin
        if self.closed:
            self.release(connection)
            raise ClientClosed("the client is closed")
        return connection

    def release(self, connection: HttpConnection) -> None:
        """The exchange is over, or given up: keep the connection if it can be used again."""
        origin = self._in_use.pop(connection)
        if self.closed or not connection.is_reusable:
            connection.abort()
            self._pass_on(None, origin)
        else:
            connection.rest()
            self._pass_on(connection, origin)

    async def close(self) -> None:
        """End every connection and whoever waits for one."""
        self.closed = True
        for future in self._waiting:
            if not future.done():
                future.set_exception(ClientClosed("the client is closed"))
        self._waiting.clear()
        for connection in [*self._idle_since, *self._in_use]:
            connection.abort()
        if self._sweep is not None:
            self._sweep.cancel()
        await asyncio.sleep(0)  # the sockets go in the next turn of the loop

    def _take_place(self) -> bool:
        """A place for one more connection, if need be that of the one that is idle the longest."""
        if self._places + len(self._idle_since) >= self._limit:
            if not self._idle_since:
                return False
            self._drop(next(iter(self._idle_since)))
        self._places += 1
        return True

    async def _wait_in_turn(self, origin: HttpOrigin) -> HttpConnection | None:
        """Wait for a place; it may come with a connection to this origin."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[future] = origin
        try:
            handed: HttpConnection | None = await future
        except BaseException:
            self._waiting.pop(future, None)
            if future.done() and not future.cancelled() and future.exception() is None:
                self._pass_on(future.result(), origin)
            raise
        return handed

    def _pass_on(self, connection: HttpConnection | None, origin: HttpOrigin) -> None:
        """Give a place to who has waited the longest, with its connection to whom it helps."""
        while self._waiting:
            future, wanted = self._waiting.popitem(last=False)
            if future.done():
                continue
            if connection is not None and (wanted != origin or not connection.is_open):
                connection.abort()
                connection = None
            future.set_result(connection)
            return
        self._places -= 1
        if connection is not None:
            self._keep(connection, origin)

    # Idle connections.

    def _idle_one(self, origin: HttpOrigin) -> HttpConnection | None:
        kept = self._idle.get(origin)
        while kept:
            connection = next(reversed(kept))
            self._forget(connection)
            if connection.is_open:
                self._places += 1
                return connection
        return None

    def _keep(self, connection: HttpConnection, origin: HttpOrigin) -> None:
        loop = asyncio.get_running_loop()
        self._idle.setdefault(origin, {})[connection] = None
        self._idle_since[connection] = origin, loop.time()
        connection.on_end = self._forget
        if self._sweep is None:
            self._sweep = loop.call_later(IDLE_SECONDS, self._drop_old)

    def _forget(self, connection: HttpConnection) -> None:
        found = self._idle_since.pop(connection, None)
        if found is not None:
            kept = self._idle[found[0]]
            del kept[connection]
            if not kept:
                del self._idle[found[0]]

    def _drop(self, connection: HttpConnection) -> None:
        self._forget(connection)
        connection.abort()

    def _drop_old(self) -> None:
        """End what has been idle for long; look again when the next one will have been."""
        self._sweep = None
        loop = asyncio.get_running_loop()
        while self._idle_since:
            connection = next(iter(self._idle_since))
            seconds = self._idle_since[connection][1] + IDLE_SECONDS - loop.time()
            if seconds > 0:
                self._sweep = loop.call_later(seconds, self._drop_old)
                return
            self._drop(connection)
