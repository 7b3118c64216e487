"""Rows of another table that a statement writes beside its own, at most one with each message."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowsBeside:
    """Its columns `message_id`, `organization_id` and `env` are those of the message. `columns`: the
    SQL types of the others, by name; the first of them is never null.
    """

    table: str
    columns: tuple[tuple[str, str], ...]

    def insert_sql(self, given: str) -> str:
        """The part of a statement that inserts them. `given`: a query of all their columns."""
        names = ", ".join(
            ("message_id", "organization_id", "env", *(name for name, _ in self.columns))
        )
        return f"""
    INSERT INTO {self.table} ({names})
    SELECT {names} FROM ({given}) AS given WHERE {self.columns[0][0]} IS NOT NULL"""
