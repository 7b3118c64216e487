"""Index declarations that Tortoise lacks: a free predicate."""

from typing import Any

from tortoise.indexes import Index


class WhereIndex(Index):
    """A partial index with any predicate, such as `contact_id IS NOT NULL`."""

    def __init__(self, *, fields: tuple[str, ...] | list[str], name: str, where: str) -> None:
        super().__init__(fields=fields, name=name)
        self.where = where
        self.extra = f" WHERE {where}"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """How a migration writes this index down."""
        path, args, kwargs = super().deconstruct()
        return path, args, {**kwargs, "where": self.where}
