"""From a row, an array by position, to its record: a function written once for each set of fields."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

Record = dict[str, Any]
Make = Callable[[Any], Any]


def record_maker(names: Sequence[str], makes: dict[str, Make]) -> Callable[[list[Any]], Record]:
    """What makes the record of a row; values that are there go through the function of their name, if it has one."""
    function = _written(tuple(names), tuple(makes))
    return partial(function, *makes.values())


@lru_cache(maxsize=2_000)
def _written(names: tuple[str, ...], made: tuple[str, ...]) -> Callable[..., Record]:
    """A dict display costs a third of zipping names and values and going through the functions after it."""
    entries = []
    for place, name in enumerate(names):
        value = f"row[{place}]"
        if name in made:
            value = f"None if (value := {value}) is None else make{made.index(name)}(value)"
        entries.append(f"{name!r}: {value}")
    parameters = "".join(f"make{place}, " for place in range(len(made)))
    source = f"lambda {parameters}row: {{{', '.join(entries)}}}"
    function: Callable[..., Record] = eval(source)  # noqa: S307 - names of fields and places, nothing from outside
    return function
