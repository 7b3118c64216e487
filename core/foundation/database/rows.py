"""Rows of results as types.

What a statement answers is a TypedDict next to the statement, to which its rows are cast once: no
object is made for a row. Who hands rows on without a look at their values takes any row.
"""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar


class HasColumns(Protocol):
    """A row that is handed on: its values are there by the name of the column."""

    def __getitem__(self, name: str, /) -> object: ...


SomeRow = TypeVar("SomeRow", bound=HasColumns)


def column(rows: Iterable[HasColumns], name: str) -> list[Any]:
    """The values of one column, in the order of the rows."""
    return [row[name] for row in rows]


def by_column(rows: Iterable[SomeRow], name: str) -> dict[Any, SomeRow]:
    """The rows by the values of a column, such as their ids."""
    return {row[name]: row for row in rows}


def pairs_of(rows: Iterable[HasColumns], name: str, value: str) -> dict[Any, Any]:
    """The values of one column by those of another."""
    return {row[name]: row[value] for row in rows}
