"""The id of a run as callers know it: `run_` and the 122 free bits of its UUID in base62."""

from uuid import UUID

from core.foundation.ids import BASE62, LENGTH, is_id

PREFIX = "run"

_VERSION, _VARIANT = 7, 2
_LOW, _MIDDLE = 62, 12
_FREE = 122
_PAIR = [first + second for first in BASE62 for second in BASE62]
_PAIRS = len(_PAIR)
_SEVENS = _PAIRS**3 * len(BASE62)
_VALUES = {character: value for value, character in enumerate(BASE62)}


def run_id(key: UUID | str) -> str:
    """The id of the run that is stored under this key."""
    number = int(key.replace("-", ""), 16) if isinstance(key, str) else key.int
    low = number & ((1 << _LOW) - 1)
    middle = number >> 64 & ((1 << _MIDDLE) - 1)
    left = (number >> 80 << _MIDDLE | middle) << _LOW | low
    first, left = divmod(left, _SEVENS * _SEVENS)
    second, third = divmod(left, _SEVENS)
    return f"{PREFIX}_{_seven(first)}{_seven(second)}{_seven(third)}"


def _seven(number: int) -> str:
    """A third of the id, two digits at a time: sooner found than one by one."""
    number, last = divmod(number, _PAIRS)
    number, middle = divmod(number, _PAIRS)
    number, first = divmod(number, _PAIRS)
    return f"{BASE62[number]}{_PAIR[first]}{_PAIR[middle]}{_PAIR[last]}"


def run_id_sql(key: str) -> str:
    """The same in SQL, of a column or another expression: text."""
    digits = f"replace({key}::text, '-', '')"
    free = (
        f"('x' || left({digits}, 12))::bit(48)::bigint::numeric * {1 << _LOW + _MIDDLE}"
        f" + ('x' || substr({digits}, 14, 3))::bit(12)::int::numeric * {1 << _LOW}"
        f" + (('x' || right({digits}, 16))::bit(64) << 2)::bit({_LOW})::bigint"
    )
    return f"""(SELECT '{PREFIX}_' || string_agg(substr('{BASE62}', mod(div(free, 62::numeric ^ place), 62)::int + 1, 1), ''
                ORDER BY place DESC) FROM (SELECT {free} AS free) AS key, generate_series(0, {LENGTH - 1}) AS place)"""


def key_of_run(id: str) -> UUID | None:
    """The key that a run of this id is stored under; None for what is no id of a run."""
    if not is_id(PREFIX, id):
        return None
    free = 0
    for character in id[-LENGTH:]:
        free = free * len(BASE62) + _VALUES[character]
    if free >> _FREE:
        return None
    low = free & ((1 << _LOW) - 1)
    middle = free >> _LOW & ((1 << _MIDDLE) - 1)
    high = free >> _LOW + _MIDDLE
    return UUID(int=high << 80 | _VERSION << 76 | middle << 64 | _VARIANT << 62 | low)
