"""Every regular expression of the service, and how each is used: found in the source, so that none
is missed.
"""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

from pydantic import StringConstraints, TypeAdapter, ValidationError

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "rest_api", "graphql_api", "smpp_api", "workers", "cli")

MATCHING = ("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")
ELSEWHERE = {
    "core/foundation/validation/phones.py: pattern": "the numbering plan's, from the library of phones, on texts of ours",
}
"""Patterns that are not ours, by where they are compiled."""


@dataclass(slots=True)
class Used:
    """A pattern.

    `engine`: `re`, or `pydantic`, whose patterns run on an automaton. `ways`: the methods called on
    it.
    """

    where: str
    pattern: Any
    engine: str = "re"
    ways: set[str] = field(default_factory=set)

    @property
    def compiled(self) -> "re.Pattern[Any]":
        """As `re` reads it."""
        return self.pattern if self.engine == "re" else re.compile(self.pattern)

    def runs(self) -> list[Callable[[Any], object]]:
        """What is done with the pattern, each for itself."""
        if self.engine == "pydantic":
            adapter = TypeAdapter(Annotated[str, StringConstraints(pattern=self.pattern)])
            return [partial(_validated, adapter)]
        return [partial(_run, self.pattern, way) for way in sorted(self.ways)]


def _run(pattern: "re.Pattern[Any]", way: str, text: Any) -> object:
    if way in ("match", "fullmatch", "search"):
        return getattr(pattern, way)(text)
    return sum(1 for _ in pattern.finditer(text))


def _validated(adapter: "TypeAdapter[str]", text: str) -> object:
    try:
        return adapter.validate_python(text)
    except ValidationError as invalid:
        return invalid.error_count()


@cache
def every_pattern() -> list[Used]:
    """All of them, in the order of the source."""
    sources = [
        Source(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))
    ]
    sources = [source for source in sources if "re." in source.text or "pattern" in source.text]
    calls: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for name, way in source.calls_of_methods():
            calls[name].add(way)
    return [used for source in sources for used in source.patterns(calls)]


class Source:
    """A module: as text, and as what Python makes of it."""

    def __init__(self, path: Path) -> None:
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text()
        self._tree = ast.parse(self.text)

    @property
    def module(self) -> ModuleType:
        """Imported."""
        return importlib.import_module(
            self.name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        )

    def calls_of_methods(self) -> Iterator[tuple[str, str]]:
        """(name of a pattern, method that is called on it), by the last part of the name."""
        for node in ast.walk(self._tree):
            # A method that is handed on is a call, too.
            if (
                isinstance(node, ast.Attribute)
                and node.attr in MATCHING
                and (name := _last(node.value)) != "re"
            ):
                yield name, node.attr

    def patterns(self, calls: dict[str, set[str]]) -> Iterator[Used]:
        """Those that the module compiles, names or hands to pydantic."""
        names = self._names_of_compiled()
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and _last(node.func.value) == "re":
                yield from self._of_re(node, names, calls)
            for keyword in node.keywords:
                if keyword.arg in ("pattern", "regex"):
                    value = self._value(keyword.value)
                    yield Used(
                        self._where(keyword.value), value, engine="pydantic", ways={"search"}
                    )

    def _of_re(
        self, node: ast.Call, names: dict[int, str], calls: dict[str, set[str]]
    ) -> Iterator[Used]:
        assert isinstance(node.func, ast.Attribute)
        way = node.func.attr
        if way not in (*MATCHING, "compile"):
            return
        where = self._where(node.args[0])
        if where in ELSEWHERE:
            return
        if way == "compile":
            name = names[id(node)]
            yield Used(f"{self.name}: {name}", getattr(self.module, name), ways=calls[name])
            return
        place = 3 if way in ("sub", "subn", "split") else 2
        given = [*node.args[place:], *(one.value for one in node.keywords if one.arg == "flags")]
        flags = self._value(given[-1]) if given else 0
        yield Used(where, re.compile(self._value(node.args[0]), flags), ways={way})

    def _names_of_compiled(self) -> dict[int, str]:
        """The names of patterns at the top of the module, by the calls that compile them."""
        return {
            id(node): _last(statement.targets[0])
            for statement in self._tree.body
            if isinstance(statement, ast.Assign)
            for node in ast.walk(statement.value)
        }

    def _value(self, node: ast.expr) -> Any:
        """What an expression is, in its module."""
        text = compile(ast.Expression(node), self.name, "eval")
        return eval(text, vars(self.module))

    def _where(self, node: ast.expr) -> str:
        return f"{self.name}: {ast.unparse(node)[:70]}"


def _last(node: ast.expr) -> str:
    """The last part of a dotted name."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
    return ""
