"""Sequences in parts."""

from core.foundation.slices import slices


def test_parts_have_the_size_but_for_the_last() -> None:
    assert [list(part) for part in slices(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert list(slices([], 2)) == []
