"""Truncation of event payloads that are too long for a delivery."""

from collections.abc import Mapping

import orjson

MAX_DATA_BYTES = 20_000 - 500
"""Bytes of `data`: a delivery has at most 20 KB, and what stands around the data takes less than
500 bytes.
"""

TEXT_LENGTHS = (4_000, 1_000, 250, 60)
"""Characters that are left of each text; the first length that is enough counts."""

UNTOUCHED = "metadata"
"""The customer's own; it comes back as it was sent."""


def truncated_data(data: Mapping[str, object]) -> Mapping[str, object]:
    """The data, with its texts truncated and `truncated: true` where it is too long.

    What is short in itself stays whole: metadata, and any text of at most 60 characters, unless
    there are too many of them. Where metadata leaves no room that truncation could make, the rest
    is measured without it.
    """
    if not _too_long(data):
        return data
    shown = data
    for length in TEXT_LENGTHS:
        shown = _shortened(data, length)
        if not _too_long(shown):
            return shown
    if UNTOUCHED in data:
        rest = truncated_data({name: value for name, value in data.items() if name != UNTOUCHED})
        return {**rest, UNTOUCHED: data[UNTOUCHED]}
    return _emptied(shown)


def _too_long(data: Mapping[str, object]) -> bool:
    return len(orjson.dumps(data)) > MAX_DATA_BYTES


def _shortened(data: Mapping[str, object], length: int) -> Mapping[str, object]:
    shown = {
        name: value if name == UNTOUCHED else _truncate(value, length)
        for name, value in data.items()
    }
    return {**shown, "truncated": True} if shown != data else data


def _emptied(data: Mapping[str, object]) -> Mapping[str, object]:
    """Too many small things: nothing is left inside of what holds the most of them."""
    shown = dict(data)
    holders = [name for name, value in data.items() if isinstance(value, dict | list)]
    for name in sorted(holders, key=lambda name: -len(orjson.dumps(data[name]))):
        if not _too_long(shown):
            break
        shown |= {name: type(data[name])(), "truncated": True}
    return shown


def _truncate(value: object, length: int) -> object:
    match value:
        case str():
            return value[:length]
        case dict():
            return {name: _truncate(inner, length) for name, inner in value.items()}
        case list():
            return [_truncate(inner, length) for inner in value[:length]]
    return value
