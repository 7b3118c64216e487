"""Steps of migrations: how long they wait, what is left of a broken attempt, and what they are made
of.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

import asyncpg
import pytest
from tortoise import fields
from tortoise.connection import get_connection
from tortoise.indexes import Index
from tortoise.migrations import operations as ops
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint
from tortoise.migrations.migration import Migration
from tortoise.migrations.schema_editor import AsyncpgSchemaEditor
from tortoise.migrations.schema_generator.state import State
from tortoise.migrations.schema_generator.state_apps import StateApps

from core.foundation.database import migration_runner, schema
from core.foundation.database.migration_runner import Runner, StillWaiting
from core.foundation.database.migration_steps import (
    Backfill,
    BatchedUpdate,
    BuildIndex,
    DropIndex,
    NotAStep,
    Transaction,
    as_one,
    commands_of,
    steps_of,
)
from tests.support.forked import ROOT
from tests.support.processes import svc
from tests.support.upgrading import NAMES, alone, reader, traffic
from tests.support.waiting import eventually

SECOND = NAMES[1]
MIGRATE = """
import asyncio, sys
from core.foundation.database import schema
asyncio.run(schema.migrate(sys.argv[1], until=sys.argv[2], waiting=lambda line: print(line, flush=True)))
"""


@pytest.fixture
def queue_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrations wait for locks for a moment only."""
    monkeypatch.setattr(migration_runner, "LOCK_TIMEOUT_SECONDS", 0.5)


@pytest.fixture
async def onlooker(early: str) -> AsyncIterator["asyncpg.Connection[Any]"]:
    """A connection to the database of the test."""
    connection = await asyncpg.connect(early)
    yield connection
    await connection.close()


@pytest.fixture
async def runner(early: str, queue_briefly: None) -> AsyncIterator[Runner]:
    """Runs steps in the database of the test."""
    work, looks = await asyncpg.connect(early), await asyncpg.connect(early)
    runner = Runner(work, looks, patience=60, tell=lambda _: None)
    await runner.enter()
    yield runner
    await work.close()
    await looks.close()


async def test_it_waits_for_one_reader_after_another_and_stops_nobody(
    early: str, queue_briefly: None
) -> None:
    told: list[str] = []
    dump = await reader(early, name="the first")
    async with traffic(early, lock_seconds=3) as others:
        migrating = alone(schema.migrate(early, until=SECOND, waiting=told.append))
        for name in ("the second", "the third"):
            await eventually(lambda: told, "it waits")
            told.clear()
            following = await reader(early, name=name)
            await others.goes_on()
            await dump.end()
            dump = following
            await eventually(partial(_is_told, told, name), f"{name} is told")
        await dump.end()
        await migrating

    assert others.failures == []


async def test_whoever_has_no_patience_gets_one_line_and_the_service_works_on(
    early: str, onlooker: "asyncpg.Connection[Any]"
) -> None:
    dump = await reader(early)

    status, out, err = await svc(
        ["migrate", "--wait", "0", "--json"], environment={**os.environ, "DATABASE_URL": early}
    )

    assert (status, out) == (1, "")
    told, last = err.splitlines()
    assert "waits for table" in told
    assert last.startswith(f"svc: {SECOND}, ")
    assert "held by pid" in last
    assert "(pg_dump, idle in transaction" in last
    assert last.endswith("gave up; what is done stays, run it again")
    assert "maria" not in err
    async with traffic(early, lock_seconds=3) as others:
        await others.goes_on()
    assert others.failures == []
    await dump.end()


async def test_a_migration_that_died_in_its_middle_is_taken_up_there(
    early: str, onlooker: "asyncpg.Connection[Any]"
) -> None:
    dump = await reader(early)
    dies = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MIGRATE, early, SECOND),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert dies.stdout is not None
    assert b"waits for table" in await dies.stdout.readline()
    dies.send_signal(signal.SIGKILL)
    await dies.wait()

    assert (
        await onlooker.fetchval("SELECT count(*) FROM migration_steps WHERE migration = $1", SECOND)
        == 1
    )
    assert await onlooker.fetchval("SELECT to_regclass('contacts')::text") == "contacts"
    assert not await onlooker.fetchval(
        "SELECT EXISTS (SELECT FROM tortoise_migrations WHERE name = $1)", SECOND
    )
    await dump.end()
    await alone(schema.migrate(early, until=SECOND))

    assert await onlooker.fetchval(
        "SELECT EXISTS (SELECT FROM tortoise_migrations WHERE name = $1)", SECOND
    )
    assert await onlooker.fetchval("SELECT count(*) FROM migration_steps") == 0


async def test_an_index_that_was_left_half_built_is_built_anew(
    runner: Runner, early: str, onlooker: "asyncpg.Connection[Any]"
) -> None:
    dump = await reader(early)
    await onlooker.execute("SET statement_timeout = '200ms'")
    with pytest.raises(asyncpg.QueryCanceledError):
        await onlooker.execute("CREATE INDEX CONCURRENTLY half ON wallets (updated_at)")
    await onlooker.execute("RESET statement_timeout")
    await dump.end()

    await runner.run("9001_half", [BuildIndex("half", "wallets", "(updated_at)", unique=False)])

    assert await onlooker.fetchval(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = 'half'::regclass"
    )


async def test_an_index_of_a_partitioned_table_is_built_on_each_partition(
    runner: Runner, onlooker: "asyncpg.Connection[Any]"
) -> None:
    await onlooker.execute(
        """
        CREATE TABLE parted (month int NOT NULL, word text) PARTITION BY RANGE (month);
        CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (2);
        CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (2) TO (3);
        INSERT INTO parted VALUES (1, 'one'), (2, 'two');
        """
    )

    await runner.run("9001_parted", [BuildIndex("parted_words", "parted", "(word)", unique=False)])

    assert await onlooker.fetchval(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = 'parted_words'::regclass"
    )
    assert (
        await onlooker.fetchval(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'parted_words'::regclass"
        )
        == 2
    )
    await runner.run("9002_parted", [DropIndex("parted_words")])
    assert await onlooker.fetchval("SELECT to_regclass('parted_words')") is None


async def test_rows_are_changed_batch_by_batch(
    runner: Runner, onlooker: "asyncpg.Connection[Any]"
) -> None:
    await onlooker.execute(
        "CREATE TABLE filled (id int, word text); INSERT INTO filled SELECT generate_series(1, 5)"
    )
    batch = "UPDATE filled SET word = 'x' WHERE id IN (SELECT id FROM filled WHERE word IS NULL LIMIT 2)"

    await runner.run("9001_filled", [BatchedUpdate("rows", batch)])

    assert await onlooker.fetchval("SELECT count(*) FROM filled WHERE word = 'x'") == 5
    assert await onlooker.fetchval("SELECT count(DISTINCT xmin::text) FROM filled") == 3


async def test_what_a_step_waits_for_has_an_end(early: str, queue_briefly: None) -> None:
    """An index waits in one statement, without a bound of its own."""
    dump = await reader(early)
    work, looks = await asyncpg.connect(early), await asyncpg.connect(early)
    told: list[str] = []
    runner = Runner(work, looks, patience=0.5, tell=told.append)
    await runner.enter()

    with pytest.raises(
        StillWaiting,
        match=r"9001_late, index late: waits for older transactions to end, held by pid",
    ):
        await runner.run("9001_late", [BuildIndex("late", "wallets", "(updated_at)", unique=False)])

    assert len(told) == 1
    await dump.end()
    await work.close()
    await looks.close()


# What migrations are made of

THINGS = ops.CreateModel(
    name="Thing",
    fields=[
        ("id", fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
        ("name", fields.CharField(max_length=9)),
    ],
    options={
        "table": "things",
        "app": "core",
        "pk_attr": "id",
        "indexes": [Index(fields=["name"], name="by_name")],
    },
    bases=["Model"],
)


class MigrationOfSteps(Migration):
    """Something of each kind, in the order in which it was thought of."""

    operations = [
        ops.AddIndex("Thing", Index(fields=["name", "id"], name="by_both")),
        ops.RemoveIndex("Thing", name="by_name"),
        ops.AddField("Thing", "size", fields.IntField(null=True, description="In cm")),
        ops.AddConstraint("Thing", UniqueConstraint(fields=("name",), name="once")),
        ops.AddConstraint(
            "Thing", UniqueConstraint(fields=("size",), name="once_large", condition="size > 9")
        ),
        ops.AddConstraint("Thing", CheckConstraint(check="size > 0", name="positive")),
        ops.CreateModel(
            name="Other",
            fields=[
                (
                    "id",
                    fields.BigIntField(
                        generated=True, primary_key=True, unique=True, db_index=True
                    ),
                )
            ],
            options={"table": "others", "app": "core", "pk_attr": "id"},
            bases=["Model"],
        ),
        ops.AddField("Other", "size", fields.IntField(null=True)),
        Backfill(
            "UPDATE things SET size = 1 WHERE id IN (SELECT id FROM things WHERE size IS NULL LIMIT 2)"
        ),
        ops.RunSQL(["CREATE SEQUENCE one", "CREATE SEQUENCE two"], []),
        ops.AddField("Thing", "weight", fields.IntField(db_default=0)),
    ]


def editor() -> AsyncpgSchemaEditor:
    return AsyncpgSchemaEditor(get_connection("default"), atomic=False, collect_sql=True)


async def things() -> State:
    """The models with one that was there before."""
    state = State(models={}, apps=StateApps(default_connections={"core": "default"}))
    THINGS.state_forward("core", state)
    return state


async def test_what_takes_its_time_comes_after_what_needs_the_table_and_stops_nobody(
    database: None,
) -> None:
    steps = await steps_of(MigrationOfSteps("9001_later", "core"), await things(), editor)

    assert [type(step).__name__ + " " + step.subject for step in steps] == [
        "Transaction new tables",
        "Transaction things",
        "BuildIndex index by_both",
        "DropIndex index by_name",
        "BuildIndex index once",
        "Transaction constraint once",
        "BuildIndex index once_large",
        "Transaction constraint positive",
        "BatchedUpdate rows",
        "Transaction SQL",
        "Transaction things",
    ]


async def test_step_by_step_makes_what_is_made_at_once(
    runner: Runner, onlooker: "asyncpg.Connection[Any]", database: None
) -> None:
    create = type("First", (Migration,), {"operations": [THINGS]})("9000_first", "core")
    nothing = State(models={}, apps=StateApps(default_connections={"core": "default"}))
    await runner.run_as_one("9000_first", await as_one(create, nothing, editor))
    await onlooker.execute(
        "INSERT INTO things (name) SELECT 'thing ' || n FROM generate_series(1, 5) n"
    )

    await runner.run(
        "9001_later", await steps_of(MigrationOfSteps("9001_later", "core"), await things(), editor)
    )

    made = {
        row["conname"]: (row["convalidated"], row["rule"])
        for row in await onlooker.fetch(
            "SELECT conname, convalidated, pg_get_constraintdef(oid) AS rule FROM pg_constraint "
            "WHERE conrelid = 'things'::regclass AND contype IN ('u', 'c')"
        )
    }
    assert made == {"once": (True, "UNIQUE (name)"), "positive": (True, "CHECK ((size > 0))")}
    assert await onlooker.fetchval("SELECT count(*) FROM things WHERE size = 1 AND weight = 0") == 5
    indexes = await onlooker.fetch(
        "SELECT indexname FROM pg_indexes WHERE tablename = 'things' ORDER BY 1"
    )
    assert [row["indexname"] for row in indexes] == ["by_both", "once", "once_large", "things_pkey"]


@pytest.mark.parametrize(
    "operation",
    [ops.RunPython(lambda *_: None), ops.RunSQL([("SELECT $1", ["value"])], [])],
    ids=["python", "values"],
)
async def test_what_is_no_plain_sql_is_refused(database: None, operation: ops.Operation) -> None:
    migration = type("Other", (Migration,), {"operations": [operation]})("9001_other", "core")

    with pytest.raises(NotAStep, match="write it as RunSQL without values"):
        await steps_of(migration, await things(), editor)


async def test_a_new_table_is_made_whole_in_one_transaction(database: None) -> None:
    create = type(
        "First", (Migration,), {"operations": [THINGS, *MigrationOfSteps.operations[:6]]}
    )("9000_first", "core")
    nothing = State(models={}, apps=StateApps(default_connections={"core": "default"}))

    assert [type(step) for step in await steps_of(create, nothing, editor)] == [Transaction]


def _is_told(told: Iterable[str], name: str) -> bool:
    return any(name in line for line in told)


def test_a_text_is_cut_into_its_commands_alone() -> None:
    body = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN x; -- it's\n y; END $$"
    text = f"""CREATE TABLE "a;b" (c text DEFAULT 'x''; y'); -- and; not more
        COMMENT ON TABLE "a;b" IS 'one; two';;
        {body};
        SELECT 1 - 2, $1"""

    assert [command.splitlines()[0][:14] for command in commands_of(text)] == [
        'CREATE TABLE "',
        "-- and; not mo",
        "CREATE FUNCTIO",
        "SELECT 1 - 2, ",
    ]
    assert commands_of(body) == [body]
