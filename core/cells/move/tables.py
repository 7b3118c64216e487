"""A table whose rows go along with an organization, and the conditions for some of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, its SQL type, and as what SQL it is sent: itself, unless that is said."""

    name: str
    type: str
    sent_as: str | None = None

    @property
    def sent(self) -> str:
        """What arrives in the other cell."""
        return self.sent_as or f'"{self.name}"'


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table, its columns, those of its key, and the condition for the rows of organization $1.
    `owner_column`: that which says whose a row is; None where another table's row does, which meets
    the gate.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[Column, ...]
    owner: str
    owner_column: str | None

    @property
    def names(self) -> list[str]:
        """Its columns, as COPY takes them."""
        return [column.name for column in self.columns]

    @property
    def sent(self) -> str:
        """The columns of a row that leaves, as they are to arrive."""
        return ", ".join(column.sent for column in self.columns)

    @property
    def key_text(self) -> str:
        """The key as one text, which is the same in both cells."""
        return "concat_ws(' ', {})".format(", ".join(f'"{one.name}"::text' for one in self.key))

    @property
    def key_list(self) -> str:
        """The columns of the key, each as text."""
        return ", ".join(f'"{one.name}"::text' for one in self.key)

    @property
    def is_through(self) -> bool:
        """Whether another table says whose its rows are."""
        return self.owner_column is None

    def portion(self, rows: int) -> str:
        """The condition for so many rows of organization $1."""
        own = ", ".join(f'"{one.name}"' for one in self.key)
        return f"({own}) IN (SELECT {own} FROM {self.name} WHERE {self.owner} LIMIT {rows})"

    def is_one_of(self, *, first: int) -> str:
        """The condition for the rows whose keys are given, each column as an array of texts."""
        own = ", ".join(f'"{one.name}"' for one in self.key)
        given = ", ".join(f"k{place}::{one.type}" for place, one in enumerate(self.key))
        names = ", ".join(f"k{place}" for place in range(len(self.key)))
        arrays = ", ".join(f"${first + place}::text[]" for place in range(len(self.key)))
        return f"({own}) IN (SELECT {given} FROM unnest({arrays}) AS given ({names}))"
