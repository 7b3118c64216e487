"""Data of events that is too long for a delivery, cut until it fits."""

from collections.abc import Mapping
from typing import Any

import orjson

LARGEST = 20_000 - 500
"""Bytes of `data`: a delivery has at most 20 KB, and what stands around the data takes less than
500 bytes.
"""

CUT_AT = (4_000, 1_000, 250, 60)
"""Characters that are left of each text: the first length that makes the data fit."""

INTACT = "metadata"
"""The customer's own; it comes back as it was sent."""


def fitted(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data, with its texts cut and `truncated: true` where it is too long.

    What is short in itself stays whole: metadata, and any text of at most 60 characters, unless
    there are too many of them. Where metadata leaves no room that cutting could make, the rest is
    measured without it.
    """
    if not _too_long(data):
        return data
    shown = data
    for length in CUT_AT:
        shown = _shortened(data, length)
        if not _too_long(shown):
            return shown
    if INTACT in data:
        rest = fitted({name: value for name, value in data.items() if name != INTACT})
        return {**rest, INTACT: data[INTACT]}
    return _emptied(shown)


def _too_long(data: Mapping[str, Any]) -> bool:
    return len(orjson.dumps(data)) > LARGEST


def _shortened(data: Mapping[str, Any], length: int) -> Mapping[str, Any]:
    shown = {name: value if name == INTACT else _cut(value, length) for name, value in data.items()}
    return {**shown, "truncated": True} if shown != data else data


def _emptied(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Too many small things: nothing is left inside of what holds the most of them."""
    shown = dict(data)
    holders = [name for name, value in data.items() if isinstance(value, dict | list)]
    for name in sorted(holders, key=lambda name: -len(orjson.dumps(data[name]))):
        if not _too_long(shown):
            break
        shown |= {name: type(data[name])(), "truncated": True}
    return shown


def _cut(value: Any, length: int) -> Any:
    match value:
        case str():
            return value[:length]
        case dict():
            return {name: _cut(inner, length) for name, inner in value.items()}
        case list():
            return [_cut(inner, length) for inner in value[:length]]
    return value
