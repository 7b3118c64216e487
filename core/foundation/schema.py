"""Bringing the database to the newest schema, safely from several machines at once."""

from collections.abc import Callable
from typing import Any

import asyncpg
from tortoise import Tortoise
from tortoise.connection import get_connection
from tortoise.migrations.autodetector import MigrationAutodetector
from tortoise.migrations.executor import MigrationExecutor
from tortoise.migrations.operations import AddConstraint, CreateModel, Operation
from tortoise.migrations.schema_generator.state import State
from tortoise.migrations.schema_generator.state_apps import StateApps
from tortoise.models import Model

from core.foundation.db import credentials_of, tortoise_config

LOCK = 0x737663_6D696772
"""The advisory lock of migrations: «svc migr»."""


async def migrate(database_url: str, *, progress: Callable[[str], None] | None = None) -> None:
    """Apply every missing migration. A second process waits for the first and then finds nothing to do."""
    guard: asyncpg.Connection[Any] = await asyncpg.connect(**credentials_of(database_url))
    config = tortoise_config(database_url, pool=2)
    try:
        await guard.execute("SELECT pg_advisory_lock($1)", LOCK)
        await Tortoise.init(config=config, init_connections=False)
        await _Executor(get_connection("default"), config["apps"]).migrate(
            progress=lambda event, app, name: progress(f"{app}.{name}") if progress and event == "apply_done" else None,
        )
    finally:
        await Tortoise.close_connections()
        await guard.close()


async def pending() -> list[str]:
    """The migrations that the open database still lacks; empty when it is current."""
    connection = get_connection("default")
    apps = tortoise_config("postgresql://unused/unused")["apps"]
    plan = await MigrationExecutor(connection, apps).plan(None)
    return [step.migration.name for step in plan]


async def undeclared_changes(name: str | None = None, *, write: bool = False) -> list[str]:
    """What the models declare and no migration does yet; with `write`, drafted as a migration file.

    Needs no database.
    """
    config = tortoise_config("postgresql://unused/unused")
    context = await Tortoise.init(config=config, init_connections=False)
    assert context.apps is not None
    drafts = await MigrationAutodetector(context.apps, config["apps"]).changes()
    for draft in drafts:
        draft.operations = [part for operation in draft.operations for part in _with_constraints(operation)]
        if name:
            draft.name = f"{draft.name.split('_', 1)[0]}_{name}"
        if write:
            draft.write()
    return [operation.describe() for draft in drafts for operation in draft.operations]


class _Executor(MigrationExecutor):
    """Tortoise builds all models anew before each operation, for those few that look back, and all of their queries
    after it: most of a migration's time.

    Here they are built for those few alone, and the queries of what has changed.
    """

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

    def __init__(self, models: dict[tuple[str, str], Any], later: StateApps) -> None:
        self.models = models
        self._later = later

    def __getattr__(self, name: str) -> Any:
        if name != "apps":
            raise AttributeError(name)
        self.apps = self._later.clone(model_states=self.models)
        return self.apps


def _with_constraints(operation: Operation) -> list[Operation]:
    """Tortoise silently drops the constraints of a new table; as operations of their own they are applied."""
    if not isinstance(operation, CreateModel):
        return [operation]
    constraints = (operation.options or {}).pop("constraints", ())
    return [operation, *(AddConstraint(operation.name, constraint) for constraint in constraints)]
