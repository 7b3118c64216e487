"""Values that nobody means: as raw JSON, since some of them no encoder writes."""

import base64
import json
from collections.abc import Iterator, Mapping
from random import Random
from string import ascii_letters
from typing import Any

PLACE = "the place of a hostile value"
"""Stands in a body for the value that `with_value` puts there."""

# Drawn, since PostgreSQL compresses what repeats itself, and then it fits into any index.
_DRAWN = "".join(Random(1).choices(ascii_letters, k=6_000))

LONG_TEXTS = {
    "letters": _DRAWN,
    "emoji": "".join(chr(0x1F300 + ord(letter)) for letter in _DRAWN[:3_000]),
    "digits": "".join(str(ord(letter) % 10) for letter in _DRAWN),
    "phone": "+55" + "9" * 3_000,
    "e-mail": f"{_DRAWN}@example.com",
    "address": f"https://example.com/{_DRAWN}",
}

STRANGE_TEXTS = {
    "empty": "",
    "NUL": "a\x00b",
    "first instant": "0001-01-01T00:00:00+23:59",
    "last instant": "9999-12-31T23:59:59.999999-23:59",
    "first second": "0001-01-01T00:00:00Z",
    "last millisecond": "9999-12-31T23:59:59.999Z",
    "infinite as text": "1e400",
    "digits of elsewhere": "٣" * 11,
}

NUMBERS = {
    "33 bits": "4294967296",
    "64 bits": "9223372036854775808",
    "100 digits": "-" + "9" * 100,
    "5,000 digits": "9" * 5_000,
    "infinite": "1e400",
    "no JSON": "NaN",
}


def arrays(depth: int) -> str:
    """Arrays within arrays."""
    return "[" * depth + "]" * depth


def objects(depth: int) -> str:
    """Objects within objects."""
    return '{"a":' * depth + "0" + "}" * depth


STRUCTURES = {
    **{f"{depth} arrays": arrays(depth) for depth in (90, 190, 900)},
    "240 objects": objects(240),
    "NUL in a name": '{"a\\u0000": 1}',
    "a long name": json.dumps({"a" * 3_000: 1}),
}

UNSPEAKABLE = {"lone surrogate": '"\\ud800"', "null": "null"}

RAW: Mapping[str, str] = {
    **{name: json.dumps(text) for name, text in {**LONG_TEXTS, **STRANGE_TEXTS}.items()},
    "100,000 letters": json.dumps("a" * 100_000),
    **UNSPEAKABLE,
    **NUMBERS,
    **STRUCTURES,
}
"""What may stand wherever JSON has a value, by its name."""

SHAPES: Mapping[str, str] = {
    **{name: RAW[name] for name in ("letters", "NUL", "first instant", "last instant")},
    **UNSPEAKABLE,
    **NUMBERS,
    **STRUCTURES,
}
"""Those that are strange before anybody looks at what they say."""

CURSORS: Mapping[str, str] = {
    f"cursor of {text[:12]}": base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    for text in (
        "[]",
        "{}",
        "null",
        "[null,null,null,null]",
        "[1e400,1,1,1]",
        '["-updatedAt","a","b",99999999999999999999]',
        '["\\u0000","\\u0000","\\u0000"]',
        '["9999-99-99T00:00:00Z","a"]',
        arrays(900),
        json.dumps(["a" * 3_000] * 4),
    )
}
"""Where a page begins, according to somebody who made it up."""

TEXTS: Mapping[str, str] = {**LONG_TEXTS, **STRANGE_TEXTS, **CURSORS}
"""What may stand in a query, as text."""


def places(body: Any) -> Iterator[Any]:
    """The body with the PLACE instead of each value in it, one after the other, and beside what an
    object holds.
    """
    yield PLACE
    if isinstance(body, Mapping):
        yield {**body, "more": PLACE}
        for name, value in body.items():
            for inner in places(value):
                yield {**body, name: inner}
    elif isinstance(body, list):
        for index, value in enumerate(body):
            for inner in places(value):
                yield [*body[:index], inner, *body[index + 1 :]]


def where(body: Any) -> str:
    """Where the PLACE is in the body."""
    match body:
        case Mapping():
            return next(
                (
                    f"/{name}{inner}"
                    for name, value in body.items()
                    if (inner := where(value)) != "?"
                ),
                "?",
            )
        case list():
            return next(
                (
                    f"/{index}{inner}"
                    for index, value in enumerate(body)
                    if (inner := where(value)) != "?"
                ),
                "?",
            )
    return "" if body == PLACE else "?"


def with_value(body: Any, raw: str) -> bytes:
    """The body as JSON, with this in its PLACE."""
    return json.dumps(body).replace(json.dumps(PLACE), raw).encode("utf-8", "surrogatepass")
