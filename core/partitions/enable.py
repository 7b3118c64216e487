"""Partitioning the tables by month, beside the traffic.

A table becomes its own first partition: nothing is copied, and it is locked for a moment only. What
takes its time (an index that contains the month, a check that spares PostgreSQL from looking
through the table) is prepared before, and stops nobody.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from core.cells.move import OrganizationMoves, moves_somebody
from core.foundation.clock import now
from core.foundation.database import db, on_node
from core.foundation.database.address import Connection
from core.foundation.database.migration_runner import Runner
from core.foundation.database.migration_steps import BatchedUpdate, BuildIndex, Step, Transaction
from core.foundation.database.rows import column
from core.partitions import placed
from core.partitions.add_months import MONTHS_AHEAD
from core.partitions.locks import brief_locks
from core.partitions.months import bound, month_of, months_later, partition_name, start_of
from core.partitions.tables import MESSAGES, TABLES, PartitionedTable

TASK = "partitions"

TIME_TO_PREPARE = timedelta(days=14)
"""The first partition of a month begins no sooner: rows that belong behind it are refused while a
table is prepared.
"""
STALE = timedelta(days=3)
"""A preparation that was left in the middle is taken back so long before it would refuse rows."""


class CatalogReader(Protocol):
    """Where the layout is looked up: a connection, or the open database."""

    async def fetch(self, sql: str, /, *values: Any) -> Sequence[Any]: ...

    async def fetchval(self, sql: str, /, *values: Any) -> Any: ...


class PartitionNotReady(Exception):
    """A table was not ready when its first month was near: what was prepared is taken back."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"{table}: preparing it took too long and was taken back; run `svc partitions enable` again"
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What hangs on a table and has to hang on the partitioned one: statements, as the catalogue
    writes them.
    """

    indexes: Sequence[tuple[str, str]]
    triggers: Sequence[tuple[str, str]]
    grants: Sequence[str]
    sequence: str | None
    storage: str


async def enable(runner: Runner, catalog: Connection) -> AsyncIterator[str]:
    """Partition every table that is not yet; yields the name of each that is done.

    Goes on where a broken run ended. `runner` works and waits, `catalog` looks things up; while it has
    the lock of migrations, no organization is moved. Raises StillWaiting where others held a table for
    too long, PartitionNotReady, and OrganizationMoves where a move was broken off: it would go on with
    the tables of before.
    """
    if await moves_somebody(catalog):
        raise OrganizationMoves
    is_placed = await on_node.is_distributed(catalog)
    await runner.carry_out(TASK, replies_stored_once())
    for table in TABLES:
        if await catalog.fetchval(IS_PARTITIONED, table.name):
            continue
        month = first_month(at=now())
        await runner.carry_out(TASK, preparation(table, month))
        if is_stale(month, at=now()) or await prepared_for(catalog, table) != month:
            await runner.carry_out(TASK, [taken_back(table)])
            raise PartitionNotReady(table.name)
        around = await surroundings_of(catalog, table)
        steps = (
            placed.switched_on_machine(table, switch(table, month, replace(around, sequence=None)))
            if is_placed
            else switch(table, month, around)
        )
        await runner.carry_out(TASK, [Transaction(table.name, tuple(steps))])
        yield table.name
    if is_placed:
        await runner.carry_out(TASK, map(placed.sequence_follows, TABLES))
    for table in TABLES:  # autovacuum does it for partitions, and never for the whole
        await runner.carry_out(TASK, [Transaction(table.name, (f"ANALYZE {table.name}",))])


def first_month(*, at: datetime) -> date:
    """The month whose rows are the first to lie in a partition of their own."""
    return months_later(month_of(at + TIME_TO_PREPARE), 1)


async def prepared_for(catalog: CatalogReader, table: PartitionedTable) -> date | None:
    """The first month that a table is being prepared for, if it is."""
    text = await catalog.fetchval(PREPARED_FOR, table.name, _check(table))
    return None if text is None else date.fromisoformat(text)


def _check(table: PartitionedTable) -> str:
    """The name of the check that all rows lie before the first month."""
    return f"{table.name}_until"


def _by_id(table: PartitionedTable) -> str:
    """The name of the index that becomes the primary key, which has to contain the month."""
    return f"{table.name}_by_id"


def replies_stored_once() -> Iterator[Step]:
    """«A reply is stored once» for messages, whose unique key for it no partitioned table can have.

    A trigger claims each reply's key in a table of its own; a reply whose key is taken is not
    inserted. Only digests are kept: the platform's ids contain phones.
    """
    yield Transaction("inbound_message_keys", (KEYS, KEYS_BY_TIME, CLAIM_KEY))
    yield Transaction(MESSAGES.name, (CLAIM_EVERY_KEY,))
    yield BatchedUpdate("inbound_message_keys", CLAIM_OLDER_KEYS)


def preparation(table: PartitionedTable, month: date) -> Iterator[Step]:
    """What can be done beside the traffic. Doing it twice does no harm."""
    check = _check(table)
    yield BuildIndex(_by_id(table), table.name, f"(id, {table.column})", unique=True)
    yield Transaction(
        table.name,
        (
            f"ALTER TABLE {table.name} DROP CONSTRAINT IF EXISTS {check}",
            f"ALTER TABLE {table.name} ADD CONSTRAINT {check} CHECK ({table.column} < {bound(month)}) NOT VALID",
        ),
    )
    yield Transaction(check, (f"ALTER TABLE {table.name} VALIDATE CONSTRAINT {check}",))


def switch(table: PartitionedTable, month: date, around: Surroundings) -> Iterator[str]:
    """The statements that make the table a partition of one by its name: milliseconds, in one
    transaction.
    """
    name, earlier, column = table.name, table.earlier, table.column
    yield f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE"
    yield f"ALTER TABLE {name} RENAME TO {earlier}"
    yield f"ALTER TABLE {earlier} DROP CONSTRAINT {name}_pkey"
    yield f"ALTER TABLE {earlier} ADD CONSTRAINT {earlier}_pkey PRIMARY KEY USING INDEX {_by_id(table)}"
    yield f"CREATE TABLE {name} (LIKE {earlier} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ({column})"
    yield f"ALTER TABLE {name} ADD CONSTRAINT {name}_pkey PRIMARY KEY (id, {column})"
    yield f"ALTER TABLE {name} DROP CONSTRAINT {_check(table)}"
    # The whole gets the names of indexes; those of the old rows are renamed and become parts of
    # them.
    for index, definition in around.indexes:
        yield f"ALTER INDEX {index} RENAME TO {f'before_{index}'[:63]}"
        yield definition
    for trigger, definition in around.triggers:
        yield f"DROP TRIGGER {trigger} ON {earlier}"
        yield definition
    if around.sequence is not None:
        yield f"ALTER SEQUENCE {around.sequence} OWNED BY {name}.id"
    yield from around.grants
    yield f"ALTER TABLE {name} ATTACH PARTITION {earlier} FOR VALUES FROM (MINVALUE) TO ({bound(month)})"
    yield f"ALTER TABLE {earlier} DROP CONSTRAINT {_check(table)}"
    yield f"CREATE TABLE {table.unplanned} PARTITION OF {name} DEFAULT{around.storage}"
    for later in range(MONTHS_AHEAD):
        since, until = months_later(month, later), months_later(month, later + 1)
        part = partition_name(name, since)
        values = f"FROM ({bound(since)}) TO ({bound(until)})"
        yield f"CREATE TABLE {part} PARTITION OF {name} FOR VALUES {values}{around.storage}"


async def surroundings_of(catalog: CatalogReader, table: PartitionedTable) -> Surroundings:
    """What hangs on a table, read before it is switched: nobody migrates meanwhile."""
    name = table.name
    storage = await catalog.fetchval(STORAGE, name)
    return Surroundings(
        indexes=[
            (row["name"], row["definition"])
            for row in await catalog.fetch(INDEXES, name, _by_id(table))
        ],
        triggers=[(row["name"], row["definition"]) for row in await catalog.fetch(TRIGGERS, name)],
        grants=column(await catalog.fetch(GRANTS, name), "statement"),
        sequence=await catalog.fetchval("SELECT pg_get_serial_sequence($1, 'id')", name),
        storage=f" WITH ({storage})" if storage else "",
    )


def is_stale(month: date, *, at: datetime) -> bool:
    """Whether a table's check would soon refuse rows, which the table should have been switched
    before.
    """
    return at >= start_of(month) - STALE


def taken_back(table: PartitionedTable) -> Transaction:
    """Without its check a table is what it was; the index that was built stays for the next
    attempt.
    """
    return Transaction(
        table.name, (f"ALTER TABLE {table.name} DROP CONSTRAINT IF EXISTS {_check(table)}",)
    )


async def take_back_stale(*, at: datetime) -> list[str]:
    """Take back, by the clock, the preparations that nobody finished. Answers the tables."""
    stale = []
    for table in TABLES:
        month = await prepared_for(db, table)
        if month is not None and is_stale(month, at=at):
            async with brief_locks():
                for statement in taken_back(table).statements:
                    await db.execute(statement)
            stale.append(table.name)
    return stale


KEYS = """
CREATE TABLE IF NOT EXISTS inbound_message_keys (
    organization_id varchar(30) NOT NULL, env varchar(4) NOT NULL, digest bytea NOT NULL,
    created_at timestamptz NOT NULL, PRIMARY KEY (organization_id, env, digest)
)
"""
KEYS_BY_TIME = (
    "CREATE INDEX IF NOT EXISTS inbound_message_keys_by_time ON inbound_message_keys (created_at)"
)

CLAIM_KEY = """
CREATE OR REPLACE FUNCTION svc_claim_inbound_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO inbound_message_keys
    VALUES (NEW.organization_id, NEW.env,
            sha256(convert_to(NEW.provider || ' ' || NEW.provider_reference, 'UTF8')), NEW.created_at)
    ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN NEW END; -- a row that is not returned is not inserted
END $$
"""
CLAIM_EVERY_KEY = """
CREATE OR REPLACE TRIGGER messages_claim_inbound_key BEFORE INSERT ON messages FOR EACH ROW
WHEN (NEW.direction = 'inbound' AND NEW.provider_reference IS NOT NULL) EXECUTE FUNCTION svc_claim_inbound_key()
"""

# Replies from before the trigger, a batch; each turn finds those that have no key yet.
# Citus takes the INSERT only of rows that a WITH has read.
CLAIM_OLDER_KEYS = """
WITH replies AS MATERIALIZED (
    SELECT m.organization_id, m.env, m.created_at,
           sha256(convert_to(m.provider || ' ' || m.provider_reference, 'UTF8')) AS digest
    FROM messages m
    WHERE m.direction = 'inbound' AND m.provider_reference IS NOT NULL AND NOT EXISTS (
        SELECT FROM inbound_message_keys k WHERE k.organization_id = m.organization_id AND k.env = m.env
            AND k.digest = sha256(convert_to(m.provider || ' ' || m.provider_reference, 'UTF8')))
    LIMIT 50000)
INSERT INTO inbound_message_keys (organization_id, env, digest, created_at)
SELECT organization_id, env, digest, created_at FROM replies
ON CONFLICT DO NOTHING
"""

IS_PARTITIONED = "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass($1)"

PREPARED_FOR = r"""
SELECT substring(pg_get_constraintdef(oid) FROM '(\d{4}-\d{2}-\d{2}) ') FROM pg_constraint
WHERE conrelid = to_regclass($1) AND conname = $2
"""

STORAGE = "SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = to_regclass($1)"

# A unique key without the month cannot be one of the whole: it stays with the rows that it was made
# for.
INDEXES = """
SELECT i.relname AS name, pg_get_indexdef(i.oid) AS definition
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indrelid = to_regclass($1) AND NOT x.indisunique AND i.relname <> $2 ORDER BY i.relname
"""

TRIGGERS = """
SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger
WHERE tgrelid = to_regclass($1) AND NOT tgisinternal ORDER BY tgname
"""

# The owner has everything anyway.
GRANTS = """
SELECT format('GRANT %s ON %s TO %s', string_agg(DISTINCT a.privilege_type, ', '), $1::text,
              CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END) AS statement
FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
WHERE c.oid = to_regclass($1) AND a.grantee <> c.relowner GROUP BY a.grantee
"""
