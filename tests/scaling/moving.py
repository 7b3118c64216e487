"""The copies that docs/scaling.md lists for an organization, taken apart."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple


class Moves(NamedTuple):
    """What is done for one organization."""

    copies: list["Copy"]
    removals: list[str]
    """Statements that remove its rows from the old cell."""


class Copy(NamedTuple):
    """One table of the organization that moves."""

    leaving: str
    """The query for its rows in the old cell."""
    table: str
    columns: str

    @property
    def names(self) -> list[str]:
        """The columns one by one, without the quotes that SQL needs for some."""
        return [column.strip('"') for column in self.columns.split(", ")]


def moves_in(rows: Iterable[Any]) -> Moves:
    """What the rows of the page's statement say."""
    moves = Moves([], [])
    for row in rows:
        moves.removals.append(row["removed_there"])
        if row["from_the_old"] is not None:
            moves.copies.append(_copy(row["from_the_old"], row["into_the_new"]))
    return moves


def _copy(from_the_old: str, into_the_new: str) -> Copy:
    leaving = re.fullmatch(r"COPY \((.*)\) TO STDOUT", from_the_old)
    arriving = re.fullmatch(r"COPY (\w+) \((.*)\) FROM STDIN", into_the_new)
    assert leaving
    assert arriving
    return Copy(leaving[1], arriving[1], arriving[2])
