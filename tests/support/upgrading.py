"""A database between two versions: the traffic of the version before, a reader that stays, its
catalogue.
"""

import asyncio
import contextvars
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from tests.support.forked import ROOT
from tests.support.waiting import eventually

NAMES = sorted(path.stem for path in (ROOT / "core" / "migrations").glob("[0-9]*.py"))
"""The migrations, in order."""


def alone(work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
    """In a task that knows nothing of this one: Tortoise keeps its connections there, and here they
    are the run's.
    """
    return asyncio.create_task(work, context=contextvars.Context())


TABLES = """
SELECT relname FROM pg_class WHERE relnamespace = current_schema()::text::regnamespace AND relkind IN ('r', 'p')
  AND relname NOT IN ('tortoise_migrations', 'migration_steps') ORDER BY relname
"""

NEEDED = """
SELECT c.relname AS table_, quote_ident(a.attname) AS column_, format_type(a.atttypid, a.atttypmod) AS type
FROM pg_class c LEFT JOIN pg_attribute a
  ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef
 AND a.attidentity = ''
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p')
  AND c.relname NOT IN ('tortoise_migrations', 'migration_steps')
"""

DRAWN = "md5(random()::text)"
VALUES = {
    "text": DRAWN,
    "bytea": f"decode({DRAWN}, 'hex')",
    "jsonb": "'{}'",
    "text[]": "'{}'",
    "timestamp with time zone[]": "'{}'",
    "smallint": "1",
    "integer": "1",
    "bigint": "1",
    "double precision": "1",
    "numeric": "1",
    "numeric(12,5)": "1",
    "boolean": "false",
    "date": "current_date",
    "timestamp with time zone": "now()",
    "uuid": "gen_random_uuid()",
}
"""A value of each type, where a column demands one."""

SENDING = (
    "wallets",
    "messages",
    "wallet_transfers",
    "webhook_events",
    "webhook_deliveries",
    "contacts",
)
"""What a send writes in one transaction."""


def _value(type_: str) -> str:
    if type_.startswith("character varying"):
        return f"left({DRAWN}, {type_[len('character varying(') : -1]})"
    return VALUES[type_]


EXAMPLES: dict[str, str] = {
    "closed_hours.id": "(SELECT coalesce(max(id), 0) + 1 FROM closed_hours)"
}
"""A value where any of its type will not do: `table.column` to SQL."""


def _column(row: asyncpg.Record, given: Mapping[str, str]) -> list[tuple[str, str]]:
    if row["column_"] is None:
        return []
    name = f"{row['table_']}.{row['column_']}"
    example = given.get(name) or given.get(row["column_"]) or EXAMPLES.get(name)
    return [(row["column_"], example or _value(row["type"]))]


async def inserts(
    connection: "asyncpg.Connection[Any]", given: Mapping[str, str] = {}
) -> dict[str, str]:
    """For each table the insert of a row, as a version knows it that was made for the schema as it
    is now. `given`: SQL of some values, by `column` or `table.column`.
    """
    needed: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in await connection.fetch(NEEDED):
        needed[row["table_"]] += _column(row, given)
    return {
        table: f'INSERT INTO "{table}" ({", ".join(name for name, _ in columns)}) '
        f"SELECT {', '.join(value for _, value in columns)}"
        if columns
        else f'INSERT INTO "{table}" DEFAULT VALUES'
        for table, columns in needed.items()
    }


@dataclass
class Traffic:
    """Transactions of the version before, one after the other, of which none waits for a lock for
    long.
    """

    transactions: list[list[str]]
    lock_seconds: float
    done: int = 0
    failures: list[str] = field(default_factory=list)

    async def _run(self, connection: "asyncpg.Connection[Any]") -> None:
        await connection.execute(f"SET lock_timeout = '{self.lock_seconds}s'")
        while True:
            for statements in self.transactions:
                try:
                    async with connection.transaction():
                        for statement in statements:
                            await connection.execute(statement)
                except asyncpg.PostgresError as error:
                    self.failures.append(f"{type(error).__name__}: {error} ({statements[0][:60]}…)")
                self.done += 1
            await asyncio.sleep(0.01)

    async def goes_on(self) -> None:
        """Wait until each of them has been made anew."""
        upto = self.done + 2 * len(self.transactions)
        await eventually(lambda: self.done >= upto, "the traffic goes on")


@asynccontextmanager
async def traffic(address: str, *, lock_seconds: float) -> AsyncIterator[Traffic]:
    """Sends, and each table by itself: written, read and changed."""
    connection = await asyncpg.connect(address, server_settings={"application_name": "svc"})
    known = await inserts(connection)
    sends = [known[table] for table in SENDING if table in known]
    single = [
        [sql, f'SELECT FROM "{table}" LIMIT 1']
        for table, sql in sorted(known.items())
        if table not in SENDING
    ]
    running = Traffic([sends, sends[::-1], *single], lock_seconds)
    task = asyncio.create_task(running._run(connection))
    try:
        yield running
    finally:
        task.cancel()
        await asyncio.wait({task})
        connection.terminate()


class Reader:
    """Has read every table, and stays in its transaction: a dump."""

    def __init__(self, connection: "asyncpg.Connection[Any]") -> None:
        self._connection = connection

    async def end(self) -> None:
        """The end of the dump."""
        await self._connection.close()


async def reader(address: str, *, name: str = "pg_dump") -> Reader:
    """Begin to read everything."""
    connection = await asyncpg.connect(address, server_settings={"application_name": name})
    await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    for row in await connection.fetch(TABLES):
        await connection.execute(f'SELECT * FROM "{row["relname"]}" LIMIT 1 -- maria@example.com')
    return Reader(connection)


FACTS = """
SELECT 'table ' || relname AS what, '' AS how FROM pg_class
WHERE relnamespace = current_schema()::text::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
UNION ALL
SELECT 'sequence ' || relname, '' FROM pg_class WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'S'
UNION ALL
SELECT 'column ' || c.relname || '.' || a.attname,
       format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END ||
       CASE WHEN a.attidentity <> '' OR a.attgenerated <> '' THEN ' identity' ELSE '' END ||
       coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p')
UNION ALL
SELECT 'index ' || i.relname, pg_get_indexdef(i.oid) || CASE WHEN x.indisvalid THEN '' ELSE ' INVALID' END
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE i.relnamespace = current_schema()::text::regnamespace
UNION ALL
SELECT 'constraint ' || c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE c.relnamespace = current_schema()::text::regnamespace AND k.contype <> 'n'
UNION ALL
SELECT 'trigger ' || c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::text::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) FROM pg_proc p
WHERE p.pronamespace = current_schema()::text::regnamespace AND p.prokind = 'f'
"""


async def facts(connection: "asyncpg.Connection[Any]") -> dict[str, str]:
    """Everything in the schema by its name, and how it is made."""
    return {row["what"]: row["how"] for row in await connection.fetch(FACTS)}


WATCH = """
CREATE SCHEMA watch;
CREATE TABLE watch.known (id oid);
CREATE TABLE watch.locks (migration text, xact xid8, command text, relation text, mode text);
CREATE TABLE watch.rewrites (migration text, relation text);
CREATE TABLE watch.now (migration text);
CREATE FUNCTION watch.note_locks() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.locks
    SELECT DISTINCT n.migration, pg_current_xact_id(), tg_tag, k.id::regclass::text, l.mode
    FROM watch.now n, pg_locks l JOIN watch.known k ON k.id = l.relation
    WHERE l.pid = pg_backend_pid() AND l.granted
      AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock');
END $$;
CREATE FUNCTION watch.note_rewrites() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.rewrites SELECT migration, pg_event_trigger_table_rewrite_oid()::regclass::text FROM watch.now;
END $$;
CREATE EVENT TRIGGER watch_locks ON ddl_command_end EXECUTE FUNCTION watch.note_locks();
CREATE EVENT TRIGGER watch_rewrites ON table_rewrite EXECUTE FUNCTION watch.note_rewrites();
"""
"""Notes the locks that stop others which a transaction has on tables that were there before its
migration.
"""


async def watch(connection: "asyncpg.Connection[Any]", migration: str) -> None:
    """What comes now belongs to this migration."""
    await connection.execute("DELETE FROM watch.now; DELETE FROM watch.known")
    await connection.execute("INSERT INTO watch.now VALUES ($1)", migration)
    await connection.execute(
        "INSERT INTO watch.known SELECT oid FROM pg_class WHERE relnamespace = current_schema()::text::regnamespace "
        "AND relkind IN ('r', 'p') AND relname NOT IN ('tortoise_migrations', 'migration_steps')"
    )


def taken_away(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """What a version that was made for the schema before would miss, or could no longer write."""
    tables = {what.removeprefix("table ") for what in before if what.startswith("table ")}
    for what, how in before.items():
        if what not in after:
            yield f"{what} is gone"
        elif after[what] != how and not _is_wider(how, after[what]):
            yield f"{what} is another"
    for what in after.keys() - before.keys():
        kind, _, name = what.partition(" ")
        if kind == "column" and name.partition(".")[0] in tables and _demands_a_value(after[what]):
            yield f"{what} has no default"


def _demands_a_value(column: str) -> bool:
    return " not null" in column and " default " not in column and " identity" not in column


WIDTH = re.compile(r"character varying\((\d+)\)(.*)")


def _is_wider(before: str, after: str) -> bool:
    """A longer text column: what the version before writes has room."""
    old, new = WIDTH.fullmatch(before), WIDTH.fullmatch(after)
    return bool(old and new and old[2] == new[2] and int(old[1]) <= int(new[1]))


def refusals(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """New rules over nothing but columns that were there: rows of the version before may break
    them.
    """
    new = after.keys() - before.keys()
    for what in new:
        rule = RULE.match(f"{what}: {after[what]}")
        if not rule or f"table {rule['table'] or rule['of']}" not in before:
            continue
        table = rule["table"] or rule["of"]
        named = set(re.findall(r"\w+", rule["text"] or rule["where"]))
        if not named & {column.removeprefix(f"column {table}.") for column in new}:
            yield what


RULE = re.compile(
    r"constraint (?P<table>\w+)\.\w+: (?P<text>(?!UNIQUE|PRIMARY).*)"
    r"|index \w+: CREATE UNIQUE INDEX \w+ ON (ONLY )?public\.(?P<of>\w+) USING (?P<where>.*)",
    re.DOTALL,
)
"""A check or a foreign key, or a unique index, which a unique constraint has too."""
