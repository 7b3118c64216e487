"""Runs the steps of migrations beside live traffic, with short lock timeouts and retries."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict, TypeVar, cast

import asyncpg

from core.foundation.database.address import Connection
from core.foundation.database.migration_steps import (
    BatchedUpdate,
    BuildIndex,
    DropIndex,
    Step,
    Transaction,
    commands_of,
    key_of,
)
from core.foundation.database.rows import column

LOCK_TIMEOUT_SECONDS = 1.5
"""How long a transaction of a migration queues for locks: whoever wants the table meanwhile waits
behind it.

Longer than PostgreSQL's `deadlock_timeout` of a second, after which an autovacuum makes room.
"""
MIN_LOCK_TIMEOUT_SECONDS = 0.05
"""What a statement has when those before it in its transaction have used that up."""

LOOK_SECONDS = 0.25
MAX_PAUSE_SECONDS = 10
TELL_SECONDS = 30.0
"""How often a long wait is told again."""

MAX_NAMED_HOLDERS = 5
"""So many of those who hold something are named."""

LOCK = 0x737663_6D696772
"""The advisory lock of migrations: «svc migr»."""

LOCK_OF_SCHEMA = "hashtextextended('tables of ' || current_schema()::text, 0)"
"""The advisory lock of whoever changes tables of this schema. Who reads once what they are called shares it."""

WAITS_TO_ENTER = "waits for another svc migrate or svc partitions enable, or for a move of an organization, to end"

Tell = Callable[[str], None]
T = TypeVar("T")


class StillWaiting(Exception):
    """Somebody held what a migration needs for longer than it was to wait. What is done stays; run
    it again.
    """


@dataclass(frozen=True, slots=True)
class LockWait:
    """What a statement waits for, and the transactions that hold it, by PostgreSQL's virtual
    numbers.
    """

    wanted: str
    transactions: tuple[str, ...]


class Runner:
    """Runs the steps of migrations on one connection, and looks on from another.

    `patience`: seconds that it waits for others, in all. `tell` hears what it waits for: the table,
    processes, how long their transactions have been open; never the text of a statement.
    """

    def __init__(
        self, work: Connection, onlooker: Connection, *, patience: float, tell: Tell
    ) -> None:
        self._work = work
        self._onlooker = onlooker
        self._patience = patience
        self._tell = tell
        self._told: tuple[str, float] = ("", 0.0)
        self._migration = ""
        self._waiting: LockWait | None = None

    async def enter(self) -> None:
        """Take the locks of the schema, which moves of organizations share, and of migrations. They are
        lost with the connection that does the work.

        They are asked for again and again: a statement that waits for one would have a snapshot, and
        an index that the other process builds would wait for that snapshot to go.
        """
        while not await self._work.fetchval(f"SELECT pg_try_advisory_lock({LOCK_OF_SCHEMA})"):
            await self._wait(1.0, "its lock", WAITS_TO_ENTER)
        while not await self._work.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
            await self._wait(1.0, "svc migrate", WAITS_TO_ENTER)
        await self._work.execute(REMEMBER)

    async def run(self, migration: str, steps: list[Step]) -> None:
        """Do what is left of a migration, and note that it is applied."""
        self._migration = migration
        done = set(column(await self._work.fetch(DONE, migration), "step"))
        for step in steps:
            if key_of(step) not in done:
                await self._do(step)
        async with self._work.transaction():
            await self._note_applied()

    async def carry_out(self, task: str, steps: Iterable[Step]) -> None:
        """Do steps that belong to no migration. They are not remembered: doing one again has to do
        no harm.
        """
        self._migration = task
        for step in steps:
            await self._do(step, remember=False)

    async def run_as_one(self, migration: str, everything: Transaction) -> None:
        """Do all of a migration in one transaction, and note it there."""
        self._migration = migration
        await self._commit(everything.subject, *everything.statements, then=self._note_applied)

    async def _do(self, step: Step, *, remember: bool = True) -> None:
        async def note() -> None:
            if remember:
                await self._work.execute(NOTE, self._migration, key_of(step))

        match step:
            case Transaction(subject, statements):
                await self._commit(subject, *statements, then=note)
            case BatchedUpdate(subject, statement):
                while await self._commit(subject, statement):
                    pass
                await note()
            case BuildIndex():
                await self._build(step)
                await note()
            case DropIndex(name):
                await self._drop(name)
                await note()

    async def _note_applied(self) -> None:
        await self._work.execute(APPLIED, self._migration)
        await self._work.execute(FORGET, self._migration)

    # Transactions

    async def _commit(
        self,
        subject: str,
        *statements: str,
        then: Callable[[], Awaitable[None]] | None = None,
    ) -> int:
        """Run statements in a transaction of their own, as often as others are in the way.

        The number of rows that the last one touched.
        """
        attempts = 0
        while True:
            with suppress(asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
                return await self._watched(subject, self._once(statements, then), bounded=True)
            attempts += 1
            await self._let_pass(subject, attempts)

    async def _once(
        self, statements: tuple[str, ...], then: Callable[[], Awaitable[None]] | None
    ) -> int:
        began = time.monotonic()
        tag = ""
        async with self._work.transaction():
            for command in (one for statement in statements for one in commands_of(statement)):
                left = max(
                    LOCK_TIMEOUT_SECONDS - (time.monotonic() - began), MIN_LOCK_TIMEOUT_SECONDS
                )
                await self._work.execute(f"SET LOCAL lock_timeout = '{left * 1000:.0f}ms'")
                tag = await self._work.execute(command)
            if then:
                await then()
        last = tag.rsplit(" ", 1)[-1]
        return int(last) if last.isdigit() else 0

    # Indexes

    async def _build(self, index: BuildIndex) -> None:
        """Build an index beside the traffic; one that a broken attempt has left behind goes first."""
        if await self._work.fetchval(IS_PARTITIONED, _quoted(index.table)):
            await self._build_on_partitions(index)
            return
        unique = "UNIQUE " if index.unique else ""
        attempts = 0
        while not await self._work.fetchval(IS_VALID, _quoted(index.name)):
            try:
                await self._alone(
                    index.subject, f"DROP INDEX CONCURRENTLY IF EXISTS {_quoted(index.name)}"
                )
                await self._alone(
                    index.subject,
                    f"CREATE {unique}INDEX CONCURRENTLY {_quoted(index.name)} "
                    f"ON {_quoted(index.table)} {index.definition}",
                )
            except asyncpg.DeadlockDetectedError:
                attempts += 1
                await self._let_pass(index.subject, attempts)

    async def _build_on_partitions(self, index: BuildIndex) -> None:
        """PostgreSQL builds none CONCURRENTLY on a partitioned table: on each partition, then they
        are put together.
        """
        unique = "UNIQUE " if index.unique else ""
        await self._commit(
            index.subject,
            f"CREATE {unique}INDEX IF NOT EXISTS {_quoted(index.name)} "
            f"ON ONLY {_quoted(index.table)} {index.definition}",
        )
        for row in await self._work.fetch(PARTITIONS, _quoted(index.table), index.name):
            part = BuildIndex(row["index_"], row["partition_"], index.definition, index.unique)
            await self._build(part)
            await self._commit(
                index.subject,
                f"ALTER INDEX {_quoted(index.name)} ATTACH PARTITION {_quoted(part.name)}",
            )

    async def _drop(self, name: str) -> None:
        subject = f"index {name}"
        if await self._work.fetchval(IS_PARTITIONED, _quoted(name)):
            await self._commit(subject, f"DROP INDEX {_quoted(name)}")
            return
        await self._alone(subject, f"DROP INDEX CONCURRENTLY IF EXISTS {_quoted(name)}")

    async def _alone(self, subject: str, sql: str) -> None:
        """A statement that runs outside of transactions, and may wait for long: nobody waits behind
        it.
        """
        await self._watched(subject, self._work.execute(sql), bounded=False)

    # Waiting

    async def _watched(
        self, subject: str, work: Coroutine[object, object, T], *, bounded: bool
    ) -> T:
        """What the work answers. Sees meanwhile what it waits for; tells it, where its locks have
        no bound.
        """
        self._waiting = None
        task = asyncio.create_task(work)
        try:
            while not (await asyncio.wait({task}, timeout=LOOK_SECONDS))[0]:
                waiting = await self._look()
                if waiting and not bounded:
                    await self._wait(LOOK_SECONDS, subject, await self._sentence(subject, waiting))
                self._waiting = waiting or self._waiting
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def _look(self) -> LockWait | None:
        """What the statement at work waits for now."""
        rows = await self._onlooker.fetch(WAITS, self._work.get_server_pid())
        return (
            LockWait(rows[0]["wanted"], tuple(set(column(rows, "transaction_")))) if rows else None
        )

    async def _let_pass(self, subject: str, attempts: int) -> None:
        """Somebody was in the way: let those through who have waited behind us, and wait until it
        is gone.
        """
        waiting = self._waiting or LockWait("a lock", ())
        attempt = f"{subject}, attempt {attempts}"
        await self._wait(
            min(attempts, MAX_PAUSE_SECONDS), attempt, await self._sentence(subject, waiting)
        )
        while await self._onlooker.fetchval(IS_OPEN, list(waiting.transactions)):
            await self._wait(LOOK_SECONDS, attempt, await self._sentence(subject, waiting))

    async def _wait(self, seconds: float, reason: str, sentence: str) -> None:
        """Wait, and tell it: each reason at once, and the same one now and then; no longer than
        there is patience.
        """
        reason = f"{self._migration}: {reason}"
        told, at = self._told
        if reason != told or time.monotonic() - at >= TELL_SECONDS:
            self._told = reason, time.monotonic()
            self._tell(sentence)
        if self._patience <= 0:
            raise StillWaiting(f"{sentence}: gave up; what is done stays, run it again")
        self._patience -= seconds
        await asyncio.sleep(seconds)

    async def _sentence(self, subject: str, waiting: LockWait) -> str:
        holders = [
            _holder(cast(HolderRow, row))
            for row in await self._onlooker.fetch(HOLDERS, list(waiting.transactions))
        ]
        more = (
            f" and {len(holders) - MAX_NAMED_HOLDERS} more"
            if len(holders) > MAX_NAMED_HOLDERS
            else ""
        )
        held = f", held by {', '.join(holders[:MAX_NAMED_HOLDERS])}{more}" if holders else ""
        return f"{self._migration}, {subject}: waits for {waiting.wanted}{held}"


class HolderRow(TypedDict):
    """A transaction that holds what a migration waits for; without a pid it is a prepared one."""

    pid: int | None
    seconds: float | None
    application_name: str | None
    state: str | None


def _holder(row: HolderRow) -> str:
    if row["pid"] is None:
        return "a prepared transaction"
    age = None if row["seconds"] is None else f"open for {timedelta(seconds=int(row['seconds']))}"
    known = ", ".join(filter(None, [row["application_name"], row["state"], age]))
    return f"pid {row['pid']} ({known})" if known else f"pid {row['pid']}"


def _quoted(name: str) -> str:
    return f'"{name}"'


REMEMBER = """
CREATE TABLE IF NOT EXISTS migration_steps (
    migration text NOT NULL, step text NOT NULL, done_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (migration, step)
)
"""
DONE = "SELECT step FROM migration_steps WHERE migration = $1"
NOTE = "INSERT INTO migration_steps (migration, step) VALUES ($1, $2)"
FORGET = "DELETE FROM migration_steps WHERE migration = $1"
APPLIED = "INSERT INTO tortoise_migrations (app, name, applied_at) VALUES ('core', $1, now())"

IS_PARTITIONED = "SELECT relkind IN ('p', 'I') FROM pg_class WHERE oid = to_regclass($1)"
IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"

# Those that have no part of the index yet; a partition that is made meanwhile gets its own.
PARTITIONS = """
SELECT c.relname AS partition_, left($2, 40) || '_' || left(md5(c.relname), 8) AS index_
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass($1) AND NOT EXISTS (
    SELECT FROM pg_inherits p JOIN pg_index x ON x.indexrelid = p.inhrelid
    WHERE p.inhparent = to_regclass('"' || $2 || '"') AND x.indrelid = c.oid)
ORDER BY c.relname
"""

# A lock that is wanted, and who has it. Everybody may read pg_locks; it names each transaction.
WAITS = """
WITH wanted AS (SELECT * FROM pg_locks WHERE pid = $1 AND NOT granted LIMIT 1)
SELECT CASE WHEN w.relation IS NOT NULL THEN 'table ' || w.relation::regclass
            WHEN w.locktype = 'virtualxid' THEN 'older transactions to end' ELSE 'a ' || w.locktype END AS wanted,
       h.virtualtransaction AS transaction_
FROM wanted w JOIN pg_locks h
  ON h.granted AND h.locktype = w.locktype AND h.relation IS NOT DISTINCT FROM w.relation
 AND h.virtualxid IS NOT DISTINCT FROM w.virtualxid AND h.transactionid IS NOT DISTINCT FROM w.transactionid
 AND coalesce(h.pid, 0) = ANY (pg_blocking_pids($1))
"""
IS_OPEN = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE granted AND virtualtransaction = ANY ($1::text[]))"
)
HOLDERS = """
SELECT DISTINCT ON (l.virtualtransaction)
       l.pid, a.application_name, a.state, extract(epoch FROM clock_timestamp() - a.xact_start) AS seconds
FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
WHERE l.granted AND l.virtualtransaction = ANY ($1::text[])
ORDER BY l.virtualtransaction
"""
