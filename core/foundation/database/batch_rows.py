"""A batch of rows as one parameter of a statement: an array of `batch_row`, in place of an array for
each column.

Forty arrays cost three times as much on both sides: asyncpg asks of each element whether it is an
array itself, and PostgreSQL takes each array apart anew (docs/decisions/0041). The type has columns
for texts, numbers, moments, octets and truths, which rows of any kind are laid into.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from core.foundation.database.db import json_text
from core.foundation.database.on_node import ROWS_TYPE

WIDTHS = {"text": 40, "bigint": 10, "timestamptz": 10, "bytea": 4, "bool": 6}
"""The columns of the type: so many of each, named text_1, text_2 and so on, in this order. They are as
the migration that made it has them.
"""

CARRIERS = {"jsonb": "text", "uuid": "text", "int": "bigint", "smallint": "bigint"}
"""What carries the types that the type has no columns of."""

WRITERS = {"jsonb": json_text, "uuid": str}
"""How the values of such a type are written into what carries them."""


@dataclass(frozen=True, slots=True)
class BatchRows:
    """Rows of these columns, each of which has a name of its own and an SQL type."""

    columns: tuple[tuple[str, str], ...]
    _carriers: dict[str, str] = field(init=False, repr=False)
    _pick: "itemgetter[tuple[Any, ...]]" = field(init=False, repr=False)
    _written: tuple[tuple[int, Any], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        used: Counter[str] = Counter()
        carriers, places = {}, {}
        for place, (name, type) in enumerate(self.columns):
            carrier = CARRIERS.get(type, type)
            used[carrier] += 1
            carriers[name] = f"{carrier}_{used[carrier]}"
            places[carriers[name]] = place
        if len(carriers) < len(self.columns) or used - Counter(WIDTHS):
            raise ValueError("columns of a batch have names of their own and fit into its type")
        nothing = len(self.columns)  # behind the values of a row stands a null
        order = [
            places.get(f"{carrier}_{number}", nothing)
            for carrier, width in WIDTHS.items()
            for number in range(1, width + 1)
        ]
        written = [
            (place, WRITERS[type])
            for place, (_, type) in enumerate(self.columns)
            if type in WRITERS
        ]
        object.__setattr__(self, "_carriers", carriers)
        object.__setattr__(self, "_pick", itemgetter(*order))
        object.__setattr__(self, "_written", tuple(written))

    def parameter(self, rows: Iterable[Sequence[object]]) -> list[tuple[object, ...]]:
        """The rows, whose values are in the order of the columns, as a parameter of a statement."""
        laid = []
        for row in rows:
            values = [*row, None]
            for place, write in self._written:
                if values[place] is not None:
                    values[place] = write(values[place])
            laid.append(self._pick(values))
        return laid

    def of(self, parameter: str) -> "RowsOf":
        """What the parameter holds, for the statement that reads it."""
        types = dict(self.columns)
        sql = {
            name: f"r.{carrier}::{types[name]}" if types[name] in CARRIERS else f"r.{carrier}"
            for name, carrier in self._carriers.items()
        }
        return RowsOf(f"unnest({parameter}::{ROWS_TYPE}) WITH ORDINALITY AS r", sql)


PLACE = "r.ordinality"
"""The place of a row among those of the parameter, from 1 on."""


@dataclass(frozen=True, slots=True)
class RowsOf:
    """The rows of a parameter as SQL. `source`: what a query of them stands on, as `r`."""

    source: str
    _sql: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        """The column, in a query of the source."""
        return self._sql[column]

    def all(self, columns: Iterable[str]) -> str:
        """These columns, in their order."""
        return ", ".join(self[column] for column in columns)

    def named(self, *columns: str) -> str:
        """These columns by their names."""
        return ", ".join(f'{self[column]} AS "{column}"' for column in columns)
