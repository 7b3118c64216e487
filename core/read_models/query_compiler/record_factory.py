"""Record factories: a row, an array by position, becomes a dict by a function made for its fields."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from core.foundation.bounded_cache import BoundedCache

SelectedRecord = dict[str, object]
"""A record with the fields and relations that a selection has."""

Make = Callable[[Any], Any]
Written = Callable[..., SelectedRecord]

BYTES_PER_FIELD = 1_000
"""What a field takes at most in what is remembered: its name, and its part of the compiled
function.
"""

_known: BoundedCache[tuple[tuple[str, ...], int, tuple[int, ...]], Written] = BoundedCache(
    max_bytes=8_000_000, weigh=lambda shape, _: BYTES_PER_FIELD * (2 + len(shape[0]) + shape[1])
)


def record_maker(
    fields: Sequence[str], slots: Sequence[str], makes: Mapping[str, Make]
) -> Callable[[object], SelectedRecord]:
    """What makes the record of a row that begins with the values of these fields, and of these
    slots behind them.

    Values that are there go through the function of their name, if it has one.
    """
    names = (*fields, *slots)
    made = tuple(place for place, name in enumerate(names) if name in makes)
    # Slots have their arguments in their names: what callers send is no part of what is remembered.
    shape = (tuple(fields), len(slots), made)
    function = _known.get(shape)
    if function is None:
        function = _write(*shape)
        _known.put(shape, function)
    return partial(function, *slots, *(makes[names[place]] for place in made))


def _write(fields: tuple[str, ...], slots: int, made: tuple[int, ...]) -> Written:
    """A dict display costs a third of zipping names and values and going through the functions
    after it.
    """
    keys = [*(repr(field) for field in fields), *(f"slot{number}" for number in range(slots))]
    entries = []
    for place, key in enumerate(keys):
        value = f"row[{place}]"
        if place in made:
            value = f"None if (value := {value}) is None else make{place}(value)"
        entries.append(f"{key}: {value}")
    parameters = [*keys[len(fields) :], *(f"make{place}" for place in made), "row"]
    source = f"lambda {', '.join(parameters)}: {{{', '.join(entries)}}}"
    function: Written = eval(source)  # noqa: S307 - names of fields and places, nothing from outside
    return function
