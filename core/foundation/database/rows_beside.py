"""Rows of another table that a statement writes beside its own, at most one with each message."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowsBeside:
    """Its columns `message_id`, `organization_id` and `env` are those of the message. `columns`: the
    SQL types of the others, by name; the first of them is never null.
    """

    table: str
    columns: tuple[tuple[str, str], ...]

    def insert_sql(self, ids: str, *, first: int, places: str) -> str:
        """The part of a statement that inserts them. `ids`: the arrays of the three columns; `first`:
        the parameter of the first further array; `places`: a query of the places in them that count.
        """
        names = ", ".join(name for name, _ in self.columns)
        arrays = ", ".join(
            f"${place}::{type}[]" for place, (_, type) in enumerate(self.columns, first)
        )
        return f"""
    INSERT INTO {self.table} (message_id, organization_id, env, {names})
    SELECT message_id, organization_id, env, {names}
    FROM unnest({ids}, {arrays}) WITH ORDINALITY AS given (message_id, organization_id, env, {names}, place)
    WHERE {self.columns[0][0]} IS NOT NULL AND place = ANY (ARRAY({places}))"""
