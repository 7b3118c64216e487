"""Lazy imports: what a package of `core` re-exports is imported when a command first uses it.

A package re-exports all that others may use of it, and so imports all of itself; a command uses one
or two of these names. Python 3.15 defers such imports by itself (PEP 810). Processes that stay
import everything at their start.
"""

import ast
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

PACKAGE = "core"

Exports = dict[str, tuple[str, str]]
"""Name -> the module it comes from, and its name there."""

Listener = Callable[[str], None]


def import_lazily(imported: Listener) -> None:
    """Defer the re-exports of packages that are imported from now on; `imported` is told of each
    module.
    """
    if not any(isinstance(finder, LazyFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, LazyFinder(imported))


class LazyPackage(ModuleType):
    """A package that imports a name when it is asked for it."""

    def __getattr__(self, name: str) -> object:
        source = self.__dict__["_exports"].get(name)
        if source is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module, original = source
        value = (
            import_module(f"{module}.{original}")
            if module == self.__name__
            else _named(module, original)
        )
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        """As usual, but a module does not take the place of what the package exports by the same
        name.
        """
        if isinstance(value, ModuleType) and ".".join(self._exports.get(name, ())) not in (
            "",
            value.__name__,
        ):
            return
        super().__setattr__(name, value)

    @property
    def _exports(self) -> Exports:
        exports: Exports = self.__dict__["_exports"]
        return exports


def _named(module: str, name: str) -> object:
    return getattr(import_module(module), name)


class LazyLoader(SourceFileLoader):
    """Reads what a package re-exports instead of executing it."""

    def exec_module(self, module: ModuleType) -> None:
        """Make the module a lazy package."""
        module.__dict__["_exports"] = exports_of(self.get_data(self.path))
        module.__class__ = LazyPackage


class TellingLoader(SourceFileLoader):
    """Tells of the module once it is imported."""

    def __init__(self, name: str, path: str, imported: Listener) -> None:
        super().__init__(name, path)
        self._imported = imported

    def exec_module(self, module: ModuleType) -> None:
        """Execute it, and tell."""
        super().exec_module(module)
        self._imported(module.__name__)


class LazyFinder:
    """Gives the modules of `core` the loaders above."""

    def __init__(self, imported: Listener) -> None:
        self._imported = imported

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's place, or None where it is none of ours."""
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return spec
        if spec.submodule_search_locations is None:
            spec.loader = TellingLoader(name, spec.origin, self._imported)
        else:
            spec.loader = LazyLoader(name, spec.origin)
        return spec


def exports_of(source: bytes) -> Exports:
    """What the source of a package imports from elsewhere."""
    statements = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in statements
        for alias in node.names
    }
