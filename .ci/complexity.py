"""Count the decisions of every function; one with more than a reader keeps in mind is named, and fails `make lint`.

Counted are branches, loops, handlers, cases, asserts, conditional expressions, boolean operators, and comprehensions with
their conditions: dense code is not simpler than long code. (Ruff's C901 leaves out the last three.)
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_COMPLEXITY = 15

DECISIONS = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.comprehension,
    ast.match_case,
    ast.Assert,
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main(folders: list[str]) -> int:
    """Print what is too complex in the folders. Answers 1 when anything is."""
    found = sorted(too_complex(folders), reverse=True)
    for complexity, place in found:
        print(f"{place} has {complexity} decisions (at most {MAX_COMPLEXITY}): name its steps")
    return 1 if found else 0


def too_complex(folders: list[str]) -> Iterator[tuple[int, str]]:
    """The complexity and the place of each function above the limit."""
    for folder in folders:
        for file in sorted(Path(folder).rglob("*.py")):
            if file.parent.name == "migrations":
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, Function) and (found := complexity_of(node)) > MAX_COMPLEXITY:
                    yield found, f"{file}:{node.lineno} {node.name}"


def complexity_of(function: Function) -> int:
    """One, and one for each decision, those of inner functions included."""
    return 1 + sum(decisions_of(node) for node in ast.walk(function))


def decisions_of(node: ast.AST) -> int:
    """How many decisions the node itself is."""
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return int(isinstance(node, DECISIONS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
