"""A record holds the text of a closed set, not its member: nobody asks a value of it what only members know."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "rest_api", "graphql_api", "smpp_api", "workers", "cli")
OF_MEMBERS = {"name", "value", "description"}


def faults(text: str) -> Iterator[int]:
    """The lines that compare a value of a record by `is`, or read an attribute that members alone have."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            sides = (node.left, node.comparators[0])
            if any(map(_is_value, sides)) and any(map(_is_member, sides)):
                yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr in OF_MEMBERS and _is_value(node.value):
            yield node.lineno


def _is_value(node: ast.expr) -> bool:
    """`record["key"]`."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    )


def _is_member(node: ast.expr) -> bool:
    """`Status.SENT`."""
    return (
        isinstance(node, ast.Attribute) and node.attr.isupper() and isinstance(node.value, ast.Name)
    )


def test_values_of_records_are_compared_as_texts() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for line in faults(path.read_text(encoding="utf-8"))
    ]

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        'record["status"] is Status.SENT',
        'Status.SENT is not found["a"]["status"]',
        'record["status"].description',
    ],
)
def test_what_only_members_know_is_found(text: str) -> None:
    assert list(faults(text)) == [1]


@pytest.mark.parametrize(
    "text", ['record["status"] == Status.SENT', 'record["at"] is None', "status is Status.SENT"]
)
def test_what_texts_can_do_passes(text: str) -> None:
    assert list(faults(text)) == []
