"""Arbitrary JSON inside a body: what the database, our encoder and every reader can hold."""

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Annotated, Any

import orjson
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import MAX_INTEGER

MAX_DEPTH = 100
"""How deep JSON may be nested: our encoder goes to 254, and what is stored stands inside other
objects.
"""


def is_deeper(value: object, most: int = MAX_DEPTH) -> bool:
    """Whether objects and lists lie deeper within each other."""
    level: list[dict[str, object] | list[object]] = [[value]]
    for _ in range(most + 1):
        level = [inner for one in level for inner in _inside(one) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def values_in(value: object) -> Iterator[object]:
    """A value and everything inside it, however deep."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _holdable(value: dict[str, object]) -> dict[str, object]:
    for one in values_in(value):
        if isinstance(one, float) and not isfinite(one):
            raise PydanticCustomError("not_finite", "A number is finite")
        if isinstance(one, int) and abs(one) > MAX_INTEGER:
            raise PydanticCustomError("too_large", "A number lies within ±9007199254740991")
    return value


def at_most_bytes(most: int) -> AfterValidator:
    """Refuses an object that is longer as JSON. Thousands of small values fit into few bytes, and
    each costs memory.
    """

    def small(value: dict[str, object]) -> dict[str, object]:
        if len(orjson.dumps(value)) > most:
            raise PydanticCustomError(
                "too_large", "This object has at most {most} bytes as JSON", {"most": f"{most:,}"}
            )
        return value

    return AfterValidator(small)


def at_most_levels(most: int) -> AfterValidator:
    """Refuses an object in which objects and lists lie deeper within each other."""

    def flat(value: dict[str, object]) -> dict[str, object]:
        if is_deeper(value, most):
            raise PydanticCustomError(
                "not_allowed", "This object has at most {most} levels", {"most": str(most)}
            )
        return value

    return AfterValidator(flat)


def _inside(value: dict[str, object] | list[object]) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


FreeObject = Annotated[dict[str, Any], AfterValidator(_holdable)]
"""An object whose content is the caller's own business."""
