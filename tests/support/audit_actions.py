"""The actions of the audit trail, as the source writes them."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def actions_in(*domains: str) -> set[str]:
    """The actions that these domains of core record; those of all, and of the shell, without one."""
    folders = [ROOT / "core" / domain for domain in domains] or [ROOT / "core", ROOT / "cli"]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    return {
        action
        for file in files
        for action in _recorded(ast.parse(file.read_text(encoding="utf-8")))
    }


def _recorded(tree: ast.Module) -> Iterator[str]:
    constants = {
        target.id: assignment.value
        for assignment in tree.body
        if isinstance(assignment, ast.Assign)
        for target in assignment.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id="audit"), attr="write_entry" | "write_entries"
                ),
                args=[_, action, *_],
            ):
                match constants.get(action.id) if isinstance(action, ast.Name) else action:
                    case ast.Constant(value=str(name)):
                        yield name
                    case _:
                        raise AssertionError(
                            f"line {node.lineno}: write the action out, so that it can be found"
                        )
