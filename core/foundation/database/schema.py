"""Schema migrations, safe from several machines at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pkgutil import iter_modules
from typing import Any

import asyncpg
from tortoise import Tortoise
from tortoise.connection import get_connection
from tortoise.migrations.autodetector import MigrationAutodetector
from tortoise.migrations.executor import MigrationExecutor, MigrationTarget
from tortoise.migrations.operations import AddConstraint, CreateModel, Operation
from tortoise.migrations.schema_editor.base import BaseSchemaEditor
from tortoise.migrations.schema_generator.state import ModelState, State
from tortoise.migrations.schema_generator.state_apps import StateApps
from tortoise.models import Model

from core import migrations
from core.foundation.database import address as database_address
from core.foundation.database import db
from core.foundation.database.bounded_pool import MIGRATION
from core.foundation.database.db import APP, CONNECT_TIMEOUT_SECONDS, tortoise_config
from core.foundation.database.migration_runner import Runner, Tell
from core.foundation.database.migration_steps import as_one, steps_of
from core.foundation.database.rows import column

WAIT_TIMEOUT = timedelta(hours=2)
"""How long it waits for others in all: a backup may take an hour."""


async def migrate(
    database_url: str,
    *,
    progress: Tell | None = None,
    waiting: Tell | None = None,
    patience: timedelta = WAIT_TIMEOUT,
    until: str | None = None,
) -> None:
    """Apply every missing migration, or those up to `until`, beside the traffic of the version
    before.

    A second process waits for the first and then finds nothing to do; one that follows a broken one
    goes on where that ended. `progress` hears the name of each migration that is done, `waiting`
    what it waits for.

    Raises `StillWaiting` when it has waited for others for longer than `patience`.
    """
    config = tortoise_config(database_url, pool=2, bounds=MIGRATION)
    async with runner_on(database_url, waiting=waiting or _unheard, patience=patience) as (
        runner,
        onlooker,
    ):
        credentials = config["connections"]["default"]["credentials"]
        credentials["server_settings"]["search_path"] = await onlooker.fetchval("SHOW search_path")
        try:
            await Tortoise.init(config=config, init_connections=False)
            await _Executor(get_connection("default"), config["apps"]).run(
                runner, progress or _unheard, until
            )
        finally:
            await Tortoise.close_connections()


@asynccontextmanager
async def runner_on(
    database_url: str, *, waiting: Tell, patience: timedelta = WAIT_TIMEOUT
) -> AsyncIterator[tuple[Runner, database_address.Connection]]:
    """Who changes the schema beside the traffic, alone among all machines; and a connection to look
    things up with.
    """
    async with _connection(database_url) as work, _connection(database_url) as onlooker:
        runner = Runner(work, onlooker, patience=patience.total_seconds(), tell=waiting)
        await runner.enter()
        yield runner, onlooker


NO_LIMITS = (
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"
)


def _unheard(_: str) -> None:
    pass


@asynccontextmanager
async def _connection(database_url: str) -> AsyncIterator[database_address.Connection]:
    """A connection of its own, whose statements may take their time, whatever the address and the
    role say.
    """
    connection = await database_address.connect(
        database_address.read(database_url),
        seconds=CONNECT_TIMEOUT_SECONDS,
        server_settings={"application_name": "svc migrate"},
    )
    try:
        await connection.execute(NO_LIMITS)
        await _stay_in_its_schema(connection)
        yield connection
    finally:
        await connection.close()


class NoSchema(Exception):
    """No schema of the role's `search_path` is there: nothing says where the tables belong."""


async def _stay_in_its_schema(connection: database_address.Connection) -> None:
    """Every name is of the first schema of the role's `search_path`: where others lie beside it, an
    index or table of the same name in one of them is no longer found.
    """
    name = await connection.fetchval("SELECT quote_ident(current_schema())")
    if name is None:
        raise NoSchema(
            "no schema of the role's search_path exists: CREATE SCHEMA first, and name it in "
            "ALTER ROLE ... SET search_path"
        )
    await connection.execute(f"SET search_path = {name}")


async def answers() -> None:
    """Read something where the rows lie: on Citus at the machine of the schema, which may be away while
    the coordinator is there. Raises what keeps it from answering; one without tables does answer.
    """
    with suppress(asyncpg.UndefinedTableError):
        await db.fetchval("SELECT EXISTS (SELECT FROM tortoise_migrations)")


async def pending() -> list[str]:
    """The migrations that the open database still lacks; empty when it is current. Raises what keeps it
    from answering.

    By their names alone: to load all of them takes seconds of a busy machine.
    """
    applied: set[str] = set()
    with suppress(asyncpg.UndefinedTableError):
        applied = set(column(await db.fetch(APPLIED, APP), "name"))
    return [name for name in every_migration() if name not in applied]


def every_migration() -> list[str]:
    """The names of the migrations of this version, in their order."""
    return sorted(found.name for found in iter_modules(migrations.__path__))


APPLIED = "SELECT name FROM tortoise_migrations WHERE app = $1"


async def undeclared_changes(name: str | None = None, *, write: bool = False) -> list[str]:
    """What the models declare and no migration does yet; with `write`, drafted as a migration file.

    Needs no database.
    """
    config = tortoise_config("postgresql://unused/unused")
    context = await Tortoise.init(config=config, init_connections=False)
    assert context.apps is not None
    drafts = await MigrationAutodetector(context.apps, config["apps"]).changes()
    for draft in drafts:
        draft.operations = [
            part for operation in draft.operations for part in _with_constraints(operation)
        ]
        if name:
            draft.name = f"{draft.name.split('_', 1)[0]}_{name}"
        if write:
            draft.write()
    return [operation.describe() for draft in drafts for operation in draft.operations]


class _Executor(MigrationExecutor):
    """Tortoise builds all models anew before each operation, for those few that look back, and all
    of their queries after it: most of a migration's time.

    Here they are built for those few alone, and the queries of what has changed.
    """

    async def run(self, runner: Runner, progress: Tell, until: str | None) -> None:
        """Apply what is missing, up to `until`; in a database that is new each at once, for nobody
        uses it.
        """
        await self.loader.build_graph()
        await self.recorder.ensure_schema(self._schema_editor(atomic=False))
        applied = set(await self.recorder.applied_migrations())
        targets = [MigrationTarget(APP, until)] if until else None
        state = await self._project_state(applied)
        for step in await self.plan(targets):
            migration = step.migration
            if not applied:
                await runner.run_as_one(
                    migration.name, await as_one(migration, state, self._collecting)
                )
            else:
                await runner.run(migration.name, await steps_of(migration, state, self._collecting))
            progress(f"{migration.app_label}.{migration.name}")

    def _collecting(self) -> BaseSchemaEditor:
        return self._schema_editor(atomic=False, collect_sql=True)

    async def _project_state(self, *arguments: Any, **options: Any) -> State:
        state = await super()._project_state(*arguments, **options)
        state.apps.__class__ = _Apps
        return _State(state.models, state.apps)


class _Apps(StateApps):
    """The classes of the models."""

    def _build_initial_querysets(self) -> None:
        every = self.apps
        self.apps = {
            label: {name: model for name, model in app.items() if not _has_queries(model)}
            for label, app in every.items()
        }
        try:
            super()._build_initial_querysets()
        finally:
            self.apps = every


def _has_queries(model: type[Model]) -> bool:
    return bool(model._meta.basetable.get_table_name())  # noqa: SLF001 (nothing public tells)


class _State(State):
    """What the models are so far."""

    def clone(self) -> State:
        return _EarlierState({key: model.clone() for key, model in self.models.items()}, self.apps)


class _EarlierState(State):
    """What they were; `apps`, the classes, are built when they are first asked for."""

    def __init__(self, models: dict[tuple[str, str], ModelState], later: StateApps) -> None:
        self.models = models
        self._later = later

    def __getattr__(self, name: str) -> StateApps:
        if name != "apps":
            raise AttributeError(name)
        self.apps = self._later.clone(model_states=self.models)
        return self.apps


def _with_constraints(operation: Operation) -> list[Operation]:
    """Tortoise silently drops the constraints of a new table; as operations of their own they are
    applied.
    """
    if not isinstance(operation, CreateModel):
        return [operation]
    constraints = (operation.options or {}).pop("constraints", ())
    return [operation, *(AddConstraint(operation.name, constraint) for constraint in constraints)]
