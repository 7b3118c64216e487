"""Public identifiers: a prefix that names the kind of record, and 125 bits of randomness.

Where the clock is set they are made in an order, so that what is written by ids is written in the
order in which it came about.
"""

import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.foundation.clock import is_set
from core.foundation.errors import NotFound

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LENGTH = 21
"""Characters after the prefix (interface, Cross-cutting rules 8)."""

BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
ORDERED = 12
"""Characters of the order, at the beginning: enough for 150,000 years of microseconds."""

_BATCH = 4096
_TO_BASE62 = bytes(ord(BASE62[byte % 62]) for byte in range(256))
# 248 is the largest multiple of 62 in a byte: without the bytes above, every character is equally
# likely.
_UNEVEN = bytes(range(248, 256))

_ready: list[str] = []
_last = 0
_noted: ContextVar[set[str] | None] = ContextVar("noted_ids", default=None)
# A forked child must not hand out the ids that its parent drew.
os.register_at_fork(after_in_child=_ready.clear)


def new_id(prefix: str) -> str:
    """`prefix`, an underscore and 21 random characters of base62. Safe under threads and after a
    fork.
    """
    id = f"{prefix}_{_draw_ordered() if is_set() else random_body()}"
    if (noted := _noted.get()) is not None:
        noted.add(id)
    return id


def random_body() -> str:
    """What stands behind the prefix, for ids of what is no record, such as a request."""
    try:
        return _ready.pop()
    except IndexError:
        return _draw_batch()


@contextmanager
def noted_ids() -> Iterator[Collection[str]]:
    """Yields the ids that the block makes, as it makes them."""
    ids: set[str] = set()
    token = _noted.set(ids)
    try:
        yield ids
    finally:
        _noted.reset(token)


def is_id(prefix: str, text: str) -> bool:
    """Whether `text` has the form of an id of this kind; it says nothing about the record's
    existence.
    """
    body = text[-LENGTH:]
    return len(body) == LENGTH and text == f"{prefix}_{body}" and body.isascii() and body.isalnum()


def well_formed_id(prefix: str, text: str, refusal: type[Exception] = NotFound) -> str:
    """`text`, where it has the form of an id of this kind; raises the refusal: no record has
    another.
    """
    if not is_id(prefix, text):
        raise refusal
    return text


def random_base62(length: int) -> str:
    """`length` characters of base62, freshly drawn from the system and evenly distributed."""
    text = ""
    while len(text) < length:
        text += _even(os.urandom(length + 16))
    return text[:length]


def _draw_batch() -> str:
    """Refill the stock by one draw from the system, and keep one body back for the caller."""
    drawn = _even(os.urandom(_BATCH))
    bodies = [drawn[start : start + LENGTH] for start in range(0, len(drawn) - LENGTH + 1, LENGTH)]
    body = bodies.pop()
    _ready.extend(bodies)
    return body


def _draw_ordered() -> str:
    """The microsecond in digits and small letters, which every collation puts into one order, and
    51 bits of randomness behind it. Later ones of a process are greater.
    """
    global _last
    _last = max(_last + 1, time.time_ns() // 1_000)
    left, text = _last, ""
    for _ in range(ORDERED):
        left, place = divmod(left, 36)
        text = BASE36[place] + text
    return text + random_base62(LENGTH - ORDERED)


def _even(noise: bytes) -> str:
    return noise.translate(_TO_BASE62, _UNEVEN).decode("ascii")
