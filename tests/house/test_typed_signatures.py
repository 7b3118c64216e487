"""Types reach the middle: few functions of core say `Any`, a bare row or `dict[str, Any]`, also by a name for it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_PERCENT = 8
UNTYPED = re.compile(r"dict\[str, Any\]|\bRow\b|\bRecord\b|\bAny\b")
NAMED_SO = re.compile(r"(dict|Mapping|list|Sequence|tuple|db\.Row)\b.*(\bAny\b|\bRow\b)|db\.Row$")


def modules() -> dict[str, ast.Module]:
    """Those of core, by their names, without migrations."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text("utf-8")
        )
        for path in (ROOT / "core").rglob("*.py")
        if "migrations" not in path.parts
    }


MODULES = modules()
ALIASES = {
    (name, node.targets[0].id)
    for name, module in MODULES.items()
    for node in module.body
    if isinstance(node, ast.Assign)
    and isinstance(node.targets[0], ast.Name)
    and not node.targets[0].id.isupper()
    and node.targets[0].id[0].isupper()
    and NAMED_SO.match(ast.unparse(node.value))
}
IMPORTED = {
    (name, one.asname or one.name): (node.module or "", one.name)
    for name, module in MODULES.items()
    for node in ast.walk(module)
    if isinstance(node, ast.ImportFrom)
    for one in node.names
}


def is_alias(module: str, name: str) -> bool:
    """Whether a name means untyped data where it is used, through however many imports."""
    place = (module, name)
    while place in IMPORTED and place not in ALIASES:
        place = IMPORTED[place]
    return place in ALIASES


def is_untyped(module: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    said = f"{ast.unparse(function.args)} -> {ast.unparse(function.returns or function.args)}"
    if UNTYPED.search(said):
        return True
    return any(is_alias(module, name) for name in set(re.findall(r"\b[A-Z]\w+", said)))


def test_few_functions_say_nothing_of_what_they_take_and_give() -> None:
    functions = [
        (name, node)
        for name, module in MODULES.items()
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    untyped = [node.name for name, node in functions if is_untyped(name, node)]

    assert len(ALIASES) > 5, "the search for aliases finds those that are there"
    assert 100 * len(untyped) / len(functions) <= MOST_PERCENT
