"""What counts as a decision when `make lint` looks at functions."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.house.sentences import modules

PROGRAM = Path(__file__).resolve().parents[2] / ".ci/complexity.py"


MOST_DECISIONS = 21.7
"""Decisions in 100 lines of functions of `core`. It only shrinks: what makes it smaller lowers the number too
(docs/decisions/0042).
"""


def counting() -> ModuleType:
    """The program of `make lint`."""
    spec = importlib.util.spec_from_file_location("complexity", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def complexity_of(source: str) -> int:
    """What the program counts in a function."""
    [function] = ast.parse(source).body
    count: int = counting().complexity_of(function)
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


def test_core_becomes_no_denser() -> None:
    program = counting()
    functions = [
        node
        for path, tree in modules()
        if path.startswith("core/") and "/migrations/" not in path
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    decisions = sum(program.complexity_of(function) - 1 for function in functions)
    lines = sum((function.end_lineno or 0) - function.lineno + 1 for function in functions)
    density = 100 * decisions / lines

    assert density <= MOST_DECISIONS
    assert density > MOST_DECISIONS - 0.5, "core has become plainer: lower the number"
