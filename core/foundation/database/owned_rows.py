"""Saving and deleting one row of a model: its organization is named, as in every other statement."""

from collections.abc import Iterable

from tortoise.backends.asyncpg.client import TransactionWrapper
from tortoise.backends.asyncpg.executor import AsyncpgExecutor
from tortoise.backends.base.client import NestedTransactionContext, TransactionContext
from tortoise.fields.base import DatabaseDefault
from tortoise.models import MetaInfo, Model

OWNER = "organization_id"


class OwnersExecutor(AsyncpgExecutor):
    """Tortoise's executor, which else names a row by its key alone."""

    async def execute_update(
        self, instance: type[Model] | Model, update_fields: Iterable[str] | None
    ) -> int:
        """Change the row that the instance was read from. Answers how many rows there were."""
        if not self._is_owned:
            return await super().execute_update(instance, update_fields)
        fields = self._about.fields_map
        names = [
            name
            for name in update_fields or self._about.fields_db_projection
            if not (
                fields[name].pk
                or fields[name].generated
                or isinstance(getattr(instance, name), DatabaseDefault)
            )
        ]
        values = [fields[name].to_db_value(getattr(instance, name), instance) for name in names]
        return await self._narrowed(self.get_update_sql(names, None), values, instance)

    async def execute_delete(self, instance: type[Model] | Model) -> int:
        """Delete the row. Answers how many there were."""
        if not self._is_owned:
            return await super().execute_delete(instance)
        return await self._narrowed(self.delete_query, [], instance)

    @property
    def _about(self) -> MetaInfo:
        return self.model._meta  # noqa: SLF001 - nothing public tells

    @property
    def _is_owned(self) -> bool:
        fields = self._about.fields_map
        return OWNER in fields and not fields[OWNER].pk

    async def _narrowed(self, sql: str, values: list[object], instance: type[Model] | Model) -> int:
        key = self._about.pk.to_db_value(instance.pk, instance)
        whose = [*values, key, getattr(instance, OWNER)]
        changed, _ = await self.db.execute_query(f'{sql} AND "{OWNER}"=${len(whose)}', whose)
        return int(changed)


class OwnersTransaction(TransactionWrapper):
    """A transaction with the same executor, and so its savepoints."""

    executor_class = OwnersExecutor

    def _in_transaction(self) -> TransactionContext:
        return NestedTransactionContext(OwnersTransaction(self))
