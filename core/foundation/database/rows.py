"""Rows of results as types.

What a statement answers is a TypedDict next to the statement, to which its rows are cast once: no
object is made for a row. Who hands rows on without a look at their values takes any row.
"""

from typing import Protocol


class HasColumns(Protocol):
    """A row that is handed on: its values are there by the name of the column."""

    def __getitem__(self, name: str, /) -> object: ...
