"""How many bytes the caches of this process hold: counted in objects, so that it is the same in
every run.
"""

import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

from core.foundation.bounded_cache import BoundedCache

WALKED = ("core.", "graphql_api.", "graphql.language", "graphql.error")
"""Where the classes are whose objects are looked into; the types of the schema are nobody's entry.
"""

OURS = ("core.", "graphql_api.", "rest_api.", "workers.", "cli.")


def caches() -> dict[str, BoundedCache[Any, Any]]:
    """Every cache of the modules that are loaded, by its place."""
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(OURS):
            for attribute, value in vars(module).items():
                kept = getattr(value, "cache", value)
                if isinstance(kept, BoundedCache):
                    found[f"{name}:{attribute}"] = kept
    return found


def bytes_of(cache: BoundedCache[Any, Any]) -> int:
    """What a cache holds of its own; what several entries share is counted once, and what is the
    code's is not.
    """
    return _size(dict(cache.items()), set()) if len(cache) else 0


def bytes_together(held: Iterable[BoundedCache[Any, Any]]) -> int:
    """What several caches hold together: what is in two of them is counted once."""
    return _size([dict(cache.items()) for cache in held], set())


def _size(value: Any, seen: set[int]) -> int:
    total, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, type | ModuleType | Enum | bool | None):
            seen.add(id(one))
            total += sys.getsizeof(one)
            waiting += _parts(one)
    return total


def _parts(value: Any) -> Iterable[Any]:
    parts: Iterable[Any] = ()
    match value:
        case Mapping():
            parts = [*value.keys(), *value.values()]
        case list() | tuple() | set() | frozenset():
            parts = list(value)
        case FunctionType():
            parts = [value.__code__, value.__defaults__ or ()]
        case CodeType():
            parts = [
                value.co_code,
                value.co_consts,
                value.co_names,
                value.co_linetable,
                value.co_varnames,
            ]
        case _ if type(value).__module__.startswith(WALKED):
            slots = [
                name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())
            ]
            parts = [getattr(value, name, None) for name in [*slots, "__dict__"]]
    return parts
