"""A connection pool with a timeout on every wait: for a slot, an answer, a cancellation.

The server ends what takes long (`Bounds.server_settings`); what is here ends waiting for a server
that is silent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from tortoise.backends.asyncpg.client import AsyncpgDBClient
from tortoise.backends.base.client import TransactionContext, TransactionContextPooled

from core.foundation.database.availability import DatabaseSilent, NoConnectionFree
from core.foundation.database.cell import current
from core.foundation.database.owned_rows import OwnersExecutor, OwnersTransaction
from core.foundation.fair_limiter import FairLimiter, NoSlotFree
from core.foundation.settings import Settings

ANSWER_GRACE_SECONDS = 5.0
"""How long after the server should have ended a statement itself it counts as silent."""

CANCEL_TIMEOUT_SECONDS = 5.0
"""What the server has to end a statement that nobody waits for any more; after that the connection
is closed.
"""

TCP = {
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""After how long without a sign of us the server closes our connections; on a socket file it passes
over them.
"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds that work with the database may wait."""

    statement: float = 30.0
    """One statement."""
    lock: float = 15.0
    """One lock that somebody else holds. Longer than `idle`, so that waiting outlasts a holder that
    froze.
    """
    idle: float = 10.0
    """A transaction in which nothing is asked: its process froze, and holds up others."""
    place: float = 10.0
    """A connection of the pool, while all are in use."""

    @property
    def answer(self) -> float:
        """How long the answer to a statement is waited for."""
        return self.statement + ANSWER_GRACE_SECONDS

    def server_settings(self) -> dict[str, str]:
        """What a connection asks of the server when it begins."""
        return {
            "statement_timeout": milliseconds(self.statement),
            "lock_timeout": milliseconds(self.lock),
            "idle_in_transaction_session_timeout": milliseconds(self.idle),
            **TCP,
        }


SERVING = Bounds()
"""Of a process that serves or works, unless its settings say otherwise."""

COMMAND = Bounds(statement=3_600.0, lock=60.0, idle=60.0, place=60.0)
"""Of a command in a shell: it may read and write whole tables."""

DAY = 86_400.0

MIGRATION = Bounds(statement=DAY, lock=DAY, idle=60.0, place=60.0)
"""An index of a large table takes as long as it takes, and so does another one who migrates."""

BACKUP = Bounds(statement=DAY, lock=60.0, idle=DAY)
"""One snapshot from the beginning to the end, while programs run beside it."""


LONG_SECONDS = 300.0
"""For `statements_within`: of a worker's statement over a whole table, or over all devices of a
customer.
"""


def bounds_of(settings: Settings) -> Bounds:
    """Those of a process that serves or works."""
    return Bounds(
        statement=settings.statement_seconds,
        lock=settings.lock_seconds,
        idle=settings.idle_transaction_seconds,
        place=settings.pool_wait_seconds,
    )


def milliseconds(seconds: float) -> str:
    """As PostgreSQL takes times."""
    return str(round(seconds * 1000))


statement_seconds: ContextVar[float | None] = ContextVar("statement_seconds", default=None)
"""Seconds that a statement may take here, where those are more or fewer than usual; see
`statements_within`.
"""

MAX_WAITING = 200
"""Pieces of work of one owner that wait for a place: each of them holds its request meanwhile."""

owner: ContextVar[str] = ContextVar("owner_of_connections", default="")
"""Whose connections are taken here, in a pool that is shared fairly; see `heavy_work`."""

_silences: dict[str, int] = {}
"""How often a connection to a cell was found silent: those opened before are not to be relied on."""

Rest = Callable[[Any], Awaitable[None]]

Statement = TypeVar("Statement", bound=Callable[..., Coroutine[Any, Any, Any]])


def _bounded(statement: Statement) -> Statement:
    @wraps(statement)
    async def bounded(self: "BoundedConnection", *arguments: object, **options: object) -> object:
        if options.get("timeout") is None:
            options["timeout"] = self._patience()
        try:
            return await statement(self, *arguments, **options)
        except TimeoutError:
            self.give_up()
            raise DatabaseSilent from None
        except asyncio.CancelledError:
            self.cut_off = True
            raise

    return cast(Statement, bounded)


class BoundedConnection(asyncpg.Connection):
    """A connection that is closed when the server does not answer in time, also to the wish to
    cancel a statement.
    """

    calls: dict[str, str] | None = None
    """Where the schema is placed by Citus: what is sent in place of statements; see `on_node`."""

    cut_off = False
    """A statement was cancelled: what follows, its rollback for instance, has little time."""

    execute = _bounded(asyncpg.Connection.execute)
    executemany = _bounded(asyncpg.Connection.executemany)
    fetch = _bounded(asyncpg.Connection.fetch)
    fetchrow = _bounded(asyncpg.Connection.fetchrow)
    fetchval = _bounded(asyncpg.Connection.fetchval)
    copy_to_table = _bounded(asyncpg.Connection.copy_to_table)

    def _patience(self) -> float | None:
        """How long an answer is waited for here; None: as long as the connection's bounds say."""
        if self.cut_off:
            return CANCEL_TIMEOUT_SECONDS
        seconds = statement_seconds.get()
        return None if seconds is None else seconds + ANSWER_GRACE_SECONDS

    def give_up(self) -> None:
        """Close it without a word, and distrust those that were opened before now."""
        cell = current().name
        _silences[cell] = _silences.get(cell, 0) + 1
        self.terminate()

    def is_whole_again(self) -> None:
        """The server has ended what was cut off."""
        self.cut_off = False

    def is_at_rest(self) -> bool:
        """Whether nothing is left of what it was used for."""
        return not (self.cut_off or self.is_closed() or self.is_in_transaction())


class BoundedPool:
    """asyncpg's pool; whoever waits for a connection waits here, in order and not for ever.

    `each`: how many connections one owner has at most, where the pool is shared by several
    (`owner`).

    `rest`: what is asked of a connection that was given back whole, before it rests here and not in
    asyncpg's pool, which makes a task of each return: 40 µs, and two turns of the loop. None: there. Only
    where whoever had it keeps no name for it, as transactions do: it is not taken from them.
    """

    def __init__(
        self,
        pool: "asyncpg.Pool[Any]",
        *,
        seconds: float,
        each: int | None = None,
        rest: Rest | None = None,
    ) -> None:
        most = pool.get_max_size()
        self._pool = pool
        self._seconds = seconds
        self._places = FairLimiter(most, each=each or most)
        self._lent: dict[object, str] = {}
        self._rest = rest
        self._resting: list[PoolConnectionProxy[Any]] = []
        self._cell = current().name
        self._silences = _silences.get(self._cell, 0)

    async def acquire(self) -> "PoolConnectionProxy[Any]":
        """A connection. Raises NoConnectionFree when all are in use for too long."""
        whose = owner.get()
        if not self._places.take_at_once(whose):
            await self._wait_for_place(whose)
        try:
            if self._silences != (silences := _silences.get(self._cell, 0)):
                self._silences = silences
                await self.expire_connections()
            connection = await self._rested() or await self._pool.acquire()
        except BaseException:
            self._places.give_back(whose)
            raise
        if connection.cut_off:  # type: ignore[attr-defined]
            connection.is_whole_again()  # type: ignore[attr-defined]
        self._lent[connection] = whose
        return connection

    async def _rested(self) -> "PoolConnectionProxy[Any] | None":
        """One of those that rest here; asyncpg sees to those that were closed meanwhile."""
        while self._resting:
            connection = self._resting.pop()
            if _is_at_rest(connection):
                return connection
            await self._pool.release(connection)
        return None

    async def _give_up_resting(self) -> None:
        """Let asyncpg have all that rest here."""
        while self._resting:
            await self._pool.release(self._resting.pop())

    async def _wait_for_place(self, whose: str) -> None:
        try:
            await self._places.take(whose, within=self._seconds)
        except NoSlotFree:
            raise NoConnectionFree from None

    async def release(self, connection: "PoolConnectionProxy[Any]") -> None:
        """Give it back; one that is already back, or was closed, is nothing new."""
        whose = self._lent.pop(connection, None)
        if whose is not None:
            self._places.give_back(whose)
            if self._rest is not None and _is_at_rest(connection):
                await self._rest(connection)
                self._resting.append(connection)
                return
        was_cut_off = getattr(
            connection, "cut_off", False
        )  # one that was closed has nothing any more
        with suppress(
            TimeoutError
        ):  # the server did not end what was cut off: asyncpg has closed the connection
            await self._pool.release(
                connection, timeout=CANCEL_TIMEOUT_SECONDS if was_cut_off else None
            )

    async def close(self) -> None:
        """Close all connections, once they are given back."""
        self._rest = None
        await self._give_up_resting()
        await self._pool.close()

    def terminate(self) -> None:
        """Close all connections at once."""
        self._resting.clear()
        self._pool.terminate()

    async def expire_connections(self) -> None:
        """Let each connection be replaced when it is next used."""
        await self._pool.expire_connections()
        await self._give_up_resting()

    def get_size(self) -> int:
        """How many connections are open."""
        return self._pool.get_size()

    def get_idle_size(self) -> int:
        """How many of them nobody uses."""
        return self._pool.get_idle_size() + len(self._resting)

    def get_max_size(self) -> int:
        """How many there may be."""
        return self._pool.get_max_size()


def _is_at_rest(connection: "PoolConnectionProxy[Any]") -> bool:
    """One that asyncpg has taken back, because it was closed, has nothing any more."""
    is_at_rest: Callable[[], bool] = getattr(connection, "is_at_rest", bool)
    return is_at_rest()


class BoundedClient(AsyncpgDBClient):
    """Tortoise's client over such a pool."""

    connection_class = BoundedConnection  # type: ignore[assignment]
    executor_class = OwnersExecutor

    def __init__(
        self,
        connection_name: str,
        *,
        place_seconds: float,
        each: int | None = None,
        stands_for: str | None = None,
        readers: int | None = None,
        rests: bool = False,
        **options: Any,
    ) -> None:
        """`place_seconds`: how long a connection is waited for. `each`: see BoundedPool.

        `stands_for`: the connection in whose place it is used, under whose name its transactions
        are then found. Whole pieces of work take a place of `work`: each may have several
        statements under way. At most `readers` connections are for `fetch_one_planned`. `rests`: no
        transaction is begun here, so connections rest in our pool.
        """
        super().__init__(connection_name=stands_for or connection_name, **options)
        self.place_seconds = place_seconds
        self.each = each
        self.rests = rests
        self.work = FairLimiter(
            self.pool_maxsize, each=each or self.pool_maxsize, waiting=MAX_WAITING
        )
        most = readers or self.pool_maxsize
        self.readers = FairLimiter(most, each=most)

    def _in_transaction(self) -> TransactionContext:
        return TransactionContextPooled(OwnersTransaction(self), self._pool_init_lock)

    async def create_pool(self, **options: Any) -> BoundedPool:  # type: ignore[override]
        """Its pool."""
        return BoundedPool(
            await super().create_pool(**options),
            seconds=self.place_seconds,
            each=self.each,
            rest=options["reset"] if self.rests else None,
        )


client_class = BoundedClient
"""By this name Tortoise looks for it."""
