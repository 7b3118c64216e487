"""Slices: a sequence in parts of a bounded size, for statements and calls that take so many at
most.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def slices(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items in their order, in parts of `size`; the last one may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
