"""What counts as a decision when `make lint` looks at functions."""

import ast
import importlib.util
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / ".ci/complexity.py"


def complexity_of(source: str) -> int:
    """What the program counts in a function."""
    spec = importlib.util.spec_from_file_location("complexity", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    [function] = ast.parse(source).body
    count: int = program.complexity_of(function)
    return count


@pytest.mark.parametrize(
    ("body", "decisions"),
    [
        ("return a", 0),
        ("return b if a else c", 1),
        ("return a and b or c", 2),
        ("return [x for x in a if x if x.y]", 3),
        ("return {x: y for x in a for y in x}", 2),
        ("assert a", 1),
        ("for x in a:\n  if x:\n   break", 2),
        ("while a:\n  pass", 1),
        ("try:\n  pass\n except A:\n  pass\n except B:\n  pass", 2),
        ("match a:\n  case 1:\n   pass\n  case _:\n   pass", 2),
        ("def inner():\n  return a or b\n return inner", 1),
    ],
)
def test_dense_code_counts_as_much_as_long_code(body: str, decisions: int) -> None:
    assert complexity_of(f"def f(a, b, c):\n {body}") == 1 + decisions
