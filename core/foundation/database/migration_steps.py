"""Cuts a migration into steps of which none blocks reads or writes for long.

Statements that need a table for themselves are short: a column with its default, a constraint that
is not checked yet, a trigger. They are committed together, table by table, so that no transaction
waits for one table while it keeps another, in whatever order the service locks them. What reads or
writes whole tables stops nobody: indexes are built and dropped CONCURRENTLY, constraints are
checked afterwards, rows are changed in batches.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint
from tortoise.migrations.migration import Migration
from tortoise.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelOptions,
    CreateModel,
    Operation,
    RemoveIndex,
    RunSQL,
)
from tortoise.migrations.schema_editor.base import BaseSchemaEditor
from tortoise.migrations.schema_generator.state import State


class Backfill(RunSQL):
    """An operation of a migration: a statement that changes some rows, repeated until it finds
    none.

    Each turn is committed by itself, so nobody waits for more than a batch: let it take a thousand
    rows or so. A row that it has changed must not be found again, or it would never end.
    """

    def __init__(self, sql: str) -> None:
        super().__init__([sql], [])

    def describe(self) -> str:
        """What Tortoise prints."""
        return "Backfill"


@dataclass(frozen=True, slots=True)
class Transaction:
    """Statements that are committed together."""

    subject: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BatchedUpdate:
    """A statement that is committed and repeated until it touches no row."""

    subject: str
    statement: str


@dataclass(frozen=True, slots=True)
class BuildIndex:
    """An index of a table that is in use. `definition` is what stands behind the table's name."""

    name: str
    table: str
    definition: str
    unique: bool

    @property
    def subject(self) -> str:
        """What it is about, for a person."""
        return f"index {self.name}"


@dataclass(frozen=True, slots=True)
class DropIndex:
    """An index that goes."""

    name: str

    @property
    def subject(self) -> str:
        """What it is about, for a person."""
        return f"index {self.name}"


COMMAND = re.compile(
    r"""
    (?: '(?:[^']|'')*' | "(?:[^"]|"")*"      # texts and names
      | (\$\w*\$) .*? \1                      # bodies of functions
      | --[^\n]*                               # comments
      | [^;'"$-] | \$ | -
    )+
    """,
    re.DOTALL | re.VERBOSE,
)


def commands_of(sql: str) -> list[str]:
    """The single commands of a text: a distributed schema takes them one by one only."""
    found = (command[0].strip() for command in COMMAND.finditer(sql))
    return [command for command in found if command]


Step = Transaction | BatchedUpdate | BuildIndex | DropIndex


def key_of(step: Step) -> str:
    """By what a step is remembered as done: a digest of what it does, wherever in its migration it
    stands.
    """
    return sha256(repr(step).encode()).hexdigest()[:32]


class NotAStep(Exception):
    """An operation that no SQL tells, or with values beside it: the migration must be written
    otherwise.
    """

    def __init__(self, migration: Migration, operation: Operation) -> None:
        super().__init__(
            f"{migration.name}: {operation.describe()} is no plain SQL; write it as RunSQL without values"
        )


Editor = Callable[[], BaseSchemaEditor]
"""Makes an editor that collects SQL and runs none. Each operation has its own: it keeps comments
for the next one.
"""


async def steps_of(migration: Migration, state: State, editor: Editor) -> list[Step]:
    """The steps of a migration, in order. `state` is what the models are before it, and then what
    they are after it.
    """
    builder = _StepBuilder({model.table for model in state.models.values()})
    async for operation, before, statements in _operations(migration, state, editor):
        builder.add(operation, _table_of(operation, migration.app_label, before), statements)
    builder.close()
    return builder.steps


async def as_one(migration: Migration, state: State, editor: Editor) -> Transaction:
    """All of a migration in one transaction, for a database that nobody uses yet; `state` as above."""
    everything: list[str] = []
    async for _, _, statements in _operations(migration, state, editor):
        everything += statements
    return Transaction("everything", tuple(everything))


async def _operations(
    migration: Migration, state: State, editor: Editor
) -> AsyncIterator[tuple[Operation, State, tuple[str, ...]]]:
    """Each operation with the models before it and its statements."""
    for operation in migration.operations:
        if not operation.reduces_to_sql or _has_values(operation):
            raise NotAStep(migration, operation)
        before = state.clone()
        operation.state_forward(migration.app_label, state)
        collecting = editor()
        await operation.database_forward(migration.app_label, before, state, collecting)
        yield operation, before, tuple(collecting.collected_sql)
    state.validate_relations_initialized()


def _has_values(operation: Operation) -> bool:
    return isinstance(operation, RunSQL) and not all(isinstance(sql, str) for sql in operation.sql)


def _table_of(operation: Operation, app: str, before: State) -> str | None:
    """The table that an operation is about, where it is one and was there before it."""
    model = before.models.get((app, getattr(operation, "model_name", "")))
    return model.table if model else None


@dataclass
class _StepBuilder:
    """The steps so far, and what is gathered up to the next statement whose place matters."""

    known: set[str]
    """Tables that were there before the migration: others use them."""
    steps: list[Step] = field(default_factory=list)
    _new: list[str] = field(default_factory=list)
    _columns: dict[str, list[str]] = field(default_factory=dict)
    _afterwards: list[Step] = field(default_factory=list)

    def add(self, operation: Operation, table: str | None, statements: tuple[str, ...]) -> None:
        match operation:
            case CreateModel():
                self._new += statements
            case RunSQL():
                self.close()
                self.steps += _own_sql(operation, statements)
            case _ if table is not None and table not in self.known:
                self._new += statements
            case AddIndex():
                self._afterwards += map(_index, statements)
            case RemoveIndex():
                self._afterwards += map(_no_index, statements)
            case AddConstraint(constraint=constraint) if table is not None:
                self._add_constraint(table, constraint, statements)
            case AddField() | AlterField() | AlterModelOptions() if table is not None:
                self._columns.setdefault(table, []).extend(statements)
            case _:
                self.close()
                self.steps.append(Transaction(table or "tables", statements))

    def _add_constraint(
        self,
        table: str,
        constraint: UniqueConstraint | CheckConstraint,
        statements: tuple[str, ...],
    ) -> None:
        if isinstance(constraint, CheckConstraint):
            self._columns.setdefault(table, []).extend(
                f"{sql.rstrip('; ')} NOT VALID" for sql in statements
            )
            check = f'ALTER TABLE "{table}" VALIDATE CONSTRAINT "{constraint.name}"'
            self._afterwards.append(Transaction(f"constraint {constraint.name}", (check,)))
        elif constraint.condition:
            self._afterwards += map(_index, statements)
        else:
            for sql in statements:
                self._afterwards += _unique(sql)

    def close(self) -> None:
        """What was gathered becomes steps: new tables, then columns by table, then what takes its
        time.
        """
        if self._new:
            self.steps.append(Transaction("new tables", tuple(self._new)))
        self.steps += [
            Transaction(table, tuple(sql)) for table, sql in self._columns.items() if sql
        ]
        self.steps += self._afterwards
        self._new, self._columns, self._afterwards = [], {}, []


def _own_sql(operation: RunSQL, statements: tuple[str, ...]) -> Iterable[Step]:
    if isinstance(operation, Backfill):
        return [BatchedUpdate("rows", sql) for sql in statements]
    return [Transaction("SQL", statements)]


INDEX = re.compile(r'CREATE (UNIQUE )?INDEX "([^"]+)" ON "([^"]+)" (.+?);?', re.DOTALL)
UNIQUE = re.compile(r'ALTER TABLE "([^"]+)" ADD CONSTRAINT "([^"]+)" UNIQUE (\(.+\));?', re.DOTALL)
NO_INDEX = re.compile(r'DROP INDEX "([^"]+)";?')


def _index(sql: str) -> BuildIndex:
    unique, name, table, definition = _parts(INDEX.fullmatch(sql.strip()), sql)
    return BuildIndex(name, table, definition.strip(), bool(unique))


def _no_index(sql: str) -> DropIndex:
    return DropIndex(_parts(NO_INDEX.fullmatch(sql.strip()), sql)[0])


def _unique(sql: str) -> list[Step]:
    """Its index is built beside the traffic and then taken for the constraint."""
    table, name, columns = _parts(UNIQUE.fullmatch(sql.strip()), sql)
    take = f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" UNIQUE USING INDEX "{name}"'
    return [
        BuildIndex(name, table, columns, unique=True),
        Transaction(f"constraint {name}", (take,)),
    ]


def _parts(found: re.Match[str] | None, sql: str) -> tuple[str, ...]:
    if found is None:
        raise ValueError(f"Tortoise writes this otherwise than it did: {sql}")
    return found.groups()
