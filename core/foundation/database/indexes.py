"""Index declarations that Tortoise lacks: a free predicate, and expressions in any kind of index."""

from pypika_tortoise.terms import LiteralValue
from tortoise.indexes import Index


class WhereIndex(Index):
    """A partial index with any predicate, such as `contact_id IS NOT NULL`."""

    def __init__(self, *, fields: tuple[str, ...] | list[str], name: str, where: str) -> None:
        super().__init__(fields=fields, name=name)
        self.where = where
        self.extra = f" WHERE {where}"

    def deconstruct(self) -> tuple[str, list[object], dict[str, object]]:
        """How a migration writes this index down."""
        path, args, kwargs = super().deconstruct()
        return path, args, {**kwargs, "where": self.where}


class ExpressionIndex(Index):
    """An index over columns and SQL expressions; an expression stands in parentheses:
    `(lower(email))`.
    """

    def __init__(
        self, *, parts: tuple[str, ...] | list[str], name: str, using: str = "", where: str = ""
    ) -> None:
        # Tortoise looks every field up in the model: the parts that are none are expressions to it.
        super().__init__(*map(LiteralValue, parts), name=name)
        self.parts = list(parts)
        self.INDEX_TYPE = using
        self.where = where
        self.extra = f" WHERE {where}" if where else ""

    @property
    def field_names(self) -> list[str]:
        """What stands in the parentheses of CREATE INDEX."""
        return self.parts

    def deconstruct(self) -> tuple[str, list[object], dict[str, object]]:
        """How a migration writes this index down."""
        path, _, _ = super().deconstruct()
        return (
            path,
            [],
            {"parts": self.parts, "name": self.name, "using": self.INDEX_TYPE, "where": self.where},
        )

    # The terms of two equal expressions are not equal themselves.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExpressionIndex) and self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash(self.name)
