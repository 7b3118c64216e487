"""Every migration runs beside a reader that stays and the traffic of the version before, and takes
nothing away.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import asyncpg
import pytest
from tortoise.migrations.operations import RunPython, RunSQL

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation import settings
from core.foundation.database import migration_runner, schema
from core.foundation.database.migration_runner import Runner
from core.foundation.database.migration_steps import Backfill, Step
from tests.support.upgrading import (
    NAMES,
    WATCH,
    alone,
    facts,
    inserts,
    reader,
    refusals,
    taken_away,
    traffic,
    watch,
)
from tests.support.waiting import eventually

QUEUED_SECONDS = 0.5
"""How long a migration queues here."""
PATIENT_SECONDS = 3
"""How long the traffic waits for a lock: above that, and far below the time that the reader stays.
"""
ROWS = 3

TAKEN_AWAY = {
    "0014_webhook_standing: index webhook_deliveries_due is another": "led by the subscription: only slower without",
    "0014_webhook_standing: index webhook_deliveries_parked is another": "ordered by age now; only slower without",
    "0019_message_hours: function svc_count_inserted() is another": "it counts as before, and late messages besides",
    "0019_message_hours: function svc_count_updated() is another": "it counts as before, and late changes besides",
    "0019_message_hours: function svc_count_deleted() is another": "it counts as before, and late ends besides",
    **{
        f"0059_sandbox_reports_by_due_time: index {name} is gone": "the one that takes its place leads by the channel: "
        "what is due is found by it, and counting all of it only slower"
        for name in ("idx_sandbox_rep_due_at_18707d", "sandbox_reports_by_channel")
    },
    "0061_looks_of_workers: index push_deliveries_open is gone": "led by the dispatch too: only slower without",
    **{
        f"0051_empty_arrays: column {name} is another": "its default is an empty list, as was meant"
        for name in (
            "contacts.tags",
            "flows.meta_categories",
            "opt_out_words.leaving",
            "opt_out_words.returning",
            "organization_moves.copied",
            "push_apps.providers",
            "push_devices.topics",
            "quiet_windows.exceptions",
            "second_factors.recovery_hashes",
        )
    },
    **{
        f"0050_triggers_that_citus_runs: function {name}() is another": "it does the same, a group at a time"
        for name in (
            "svc_count_inserted",
            "svc_count_updated",
            "svc_count_deleted",
            "svc_note_dirty",
            "svc_note_events",
            "svc_note_claimed_events",
            "svc_note_members",
            "svc_note_cards",
            "svc_note_card_contacts",
            "svc_note_clicks",
            "svc_count_messages_of_journeys",
            "svc_count_clicks_of_journeys",
            "svc_count_events_of_journeys",
        )
    },
}
"""What a migration took away, with the reason why the version before did not mind. Nothing is to be
added here, but an index in whose place another one comes that the version before finds its rows by: each send or
delivery would pay for both.
"""

REFUSALS = {
    "0002_sms_whole: index messages_inbound_once": "the version before wrote no inbound messages",
}
"""Rules for columns that were there before, with the reason why rows of the version before keep
them.
"""

INDEXES_KEPT = {
    "0013_conversations: messages": "a wider column: its indexes are declared anew, not built anew",
    "0027_waiting_room: waiting_messages": "the same",
}
"""Where the lock under which indexes are built was taken, and none was built."""

HELD_WHILE_WRITING = {
    "0005_message_counts": "counts must be exact from their first message on; no message was written between",
    "0007_contacts": "fills the text that is searched; there were few contacts",
    "0017_webhook_confirmation": "changes subscriptions, of which an organization has at most a few hundred",
    "0021_event_feed_positions": "writes only tables of its own, into which nobody else may come before it is done",
}
"""Migrations that write rows in one transaction: older than `Backfill`, or all at once on purpose.
"""


@dataclass
class Passage:
    """How one migration went."""

    taken_away: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    fewer: list[str] = field(default_factory=list)


@dataclass
class Walk:
    """All of them, one after the other."""

    passages: dict[str, Passage]
    locks: list[asyncpg.Record]
    rewrites: list[asyncpg.Record]
    facts: dict[str, str]


@pytest.fixture(scope="module")
async def walk(servers: tuple[EmbeddedPostgres, EmbeddedRedis], first: str) -> AsyncIterator[Walk]:
    """From the first to the last: each with rows in every table, a reader of all of them, and
    traffic.
    """
    postgres, _ = servers
    address = postgres.create_database("walk", template=first)
    onlooker = await asyncpg.connect(address)
    await onlooker.execute(WATCH)
    passages: dict[str, Passage] = defaultdict(Passage)
    told: list[str] = []
    run = Runner.run

    async def beside(self: Runner, migration: str, steps: list[Step]) -> None:
        passage = passages[migration]
        await fill(onlooker)
        before, counted = await facts(onlooker), await counts(onlooker)
        await watch(onlooker, migration)
        told.clear()
        dump = await reader(address)
        async with traffic(address, lock_seconds=PATIENT_SECONDS) as others:

            async def end_when_told() -> None:
                await eventually(lambda: told, "it waits", within=120)
                await others.goes_on()
                await dump.end()

            ending = asyncio.create_task(end_when_told())
            await run(self, migration, steps)
            await others.goes_on()
            ending.cancel()
            await dump.end()
        passage.failures, passage.told = others.failures, list(told)
        after, left = await facts(onlooker), await counts(onlooker)
        passage.taken_away = sorted(taken_away(before, after))
        passage.refusals = sorted(refusals(before, after))
        passage.fewer = [table for table, rows in counted.items() if left.get(table, 0) < rows]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migration_runner, "LOCK_TIMEOUT_SECONDS", QUEUED_SECONDS)
        patch.setattr(Runner, "run", beside)
        await alone(schema.migrate(address, waiting=told.append))
    yield Walk(
        dict(passages),
        await onlooker.fetch("SELECT * FROM watch.locks"),
        await onlooker.fetch("SELECT * FROM watch.rewrites"),
        await facts(onlooker),
    )
    await onlooker.close()
    postgres.drop_database("walk")


async def fill(connection: "asyncpg.Connection[Any]") -> None:
    """Some rows in every table."""
    for sql in (await inserts(connection)).values():
        for _ in range(ROWS):
            await connection.execute(sql)


async def counts(connection: "asyncpg.Connection[Any]") -> dict[str, int]:
    """The rows of every table."""
    return {
        table: await connection.fetchval(f'SELECT count(*) FROM "{table}"')
        for table in await inserts(connection)
    }


def every(walk: Walk, kind: str) -> set[str]:
    """What was found at any of them, led by the migration's name."""
    return {
        f"{name}: {found}"
        for name, passage in walk.passages.items()
        for found in getattr(passage, kind)
    }


def test_all_of_them_were_walked(walk: Walk) -> None:
    assert list(walk.passages) == NAMES[1:]


def test_nobody_waited_longer_than_a_migration_queues(walk: Walk) -> None:
    assert every(walk, "failures") == set()


def test_who_needs_a_table_for_itself_waits_for_the_reader_and_tells_so(walk: Walk) -> None:
    told = walk.passages["0002_sms_whole"].told

    assert re.fullmatch(
        r"0002_sms_whole, \w+: waits for table \w+, held by pid \d+ "
        r"\(pg_dump, idle in transaction, open for \d:\d\d:\d\d\)",
        told[0],
    )
    assert not [line for line in every(walk, "told") if "@" in line or "SELECT" in line]


def test_they_only_add(walk: Walk) -> None:
    """The version before works on; what is named is there, so that the list stays true."""
    assert every(walk, "taken_away") == TAKEN_AWAY.keys()
    assert every(walk, "fewer") == set()


def test_no_rule_is_made_for_what_the_version_before_writes(walk: Walk) -> None:
    assert every(walk, "refusals") == REFUSALS.keys()


def test_no_table_is_written_anew(walk: Walk) -> None:
    assert [tuple(row) for row in walk.rewrites] == []


def test_a_transaction_stops_the_users_of_one_table_at_most(walk: Walk) -> None:
    held: dict[tuple[str, object], set[str]] = defaultdict(set)
    for row in walk.locks:
        held[row["migration"], row["xact"]].add(row["relation"])

    assert held, "the locks were noted"
    assert {name: tables for (name, _), tables in held.items() if len(tables) > 1} == {}


def test_no_index_of_a_table_in_use_is_built_while_its_writers_wait(walk: Walk) -> None:
    found = {
        f"{row['migration']}: {row['relation']}" for row in walk.locks if row["mode"] == "ShareLock"
    }

    assert found == INDEXES_KEPT.keys()


async def test_step_by_step_leads_to_the_same_schema_as_at_once(walk: Walk, database: None) -> None:
    connection = await asyncpg.connect(settings.current().database_url)
    try:
        at_once = await facts(connection)
    finally:
        await connection.close()

    assert walk.facts == at_once


# What the files say

CHANGES = re.compile(
    r"\s*(INSERT|UPDATE|DELETE|TRUNCATE|MERGE|WITH|DROP|ALTER\s+TABLE\s.*\b(DROP|RENAME|TYPE)\b)",
    re.IGNORECASE | re.DOTALL,
)


def operations(name: str) -> Iterable[object]:
    """Those of a migration."""
    migration = import_module(f"core.migrations.{name}").Migration
    return list(migration.operations)


def statements(operation: RunSQL) -> list[str]:
    """Its SQL."""
    return [operation.sql] if isinstance(operation.sql, str) else list(operation.sql)


def test_rows_are_changed_in_batches() -> None:
    found = {
        name
        for name in NAMES
        for operation in operations(name)
        if isinstance(operation, RunSQL) and not isinstance(operation, Backfill)
        for sql in statements(operation)
        if CHANGES.match(sql)
    }

    assert found == HELD_WHILE_WRITING.keys()


def test_all_of_them_are_plain_sql() -> None:
    assert [
        name for name in NAMES for operation in operations(name) if isinstance(operation, RunPython)
    ] == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"table a": "", "table b": ""}, {"table a": ""}, ["table b is gone"]),
        ({"table a": "", "column a.b": "text"}, {"table a": ""}, ["column a.b is gone"]),
        ({"column a.b": "text"}, {"column a.b": "bigint"}, ["column a.b is another"]),
        ({"column a.b": "text"}, {"column a.b": "text not null"}, ["column a.b is another"]),
        ({"column a.b": "text default 1"}, {"column a.b": "text"}, ["column a.b is another"]),
        (
            {"column a.b": "character varying(9)"},
            {"column a.b": "character varying(8)"},
            ["column a.b is another"],
        ),
        ({"column a.b": "character varying(9)"}, {"column a.b": "character varying(10)"}, []),
        (
            {"table a": ""},
            {"table a": "", "column a.b": "text not null"},
            ["column a.b has no default"],
        ),
        ({"table a": ""}, {"table a": "", "column a.b": "text not null default ''"}, []),
        ({"table a": ""}, {"table a": "", "column a.b": "text"}, []),
        ({"table a": ""}, {"table a": "", "table b": "", "column b.c": "text not null"}, []),
    ],
)
def test_what_is_taken_away_is_found(
    before: dict[str, str], after: dict[str, str], found: list[str]
) -> None:
    assert list(taken_away(before, after)) == found
