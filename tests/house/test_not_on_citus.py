"""What is not tested on Citus is named in one list, which is short and names tests that there are."""

import ast
from pathlib import Path

from tests.support.not_on_citus import NOT_ON_CITUS

ROOT = Path(__file__).resolve().parents[2]

MOST = 20
"""What the service cannot do there is mended in the service, and not written down here."""


def functions_of(file: str) -> set[str]:
    """The names of a file's tests."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    named = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, named)}


def test_the_list_is_short_and_names_tests_that_there_are() -> None:
    unknown = []
    for name in NOT_ON_CITUS:
        file, _, function = name.partition("::")
        if not (ROOT / file).is_file() or (function and function not in functions_of(file)):
            unknown.append(name)
    assert not unknown
    assert len(NOT_ON_CITUS) <= MOST


def test_each_has_a_reason() -> None:
    assert all(len(reason.split()) >= 4 for reason in NOT_ON_CITUS.values())
