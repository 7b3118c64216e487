"""The part of a file that a reader asks for (RFC 9110, 14)."""

import re

from core.foundation.errors import RangeNotSatisfiable
from rest_api.support.requests import Headers

# `*+`: spaces around no digits could be divided in many ways, and none of them is another reading.
_ONE = re.compile(r" *+bytes *+= *+(\d{0,18}) *+- *+(\d{0,18}) *+\Z", re.IGNORECASE | re.ASCII)


def range_of(headers: Headers, size: int) -> tuple[int, int] | None:
    """From where to before where; None for the whole: no range, several, or one that is none, may
    all be answered so.

    Raises RangeNotSatisfiable.
    """
    asked = headers.get(b"range")
    if (
        asked is None or headers.get(b"if-range") is not None
    ):  # we give no validator that could match
        return None
    found = _ONE.match(asked)
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        start, end = max(size - int(found[2]), 0), size
    else:
        start, end = int(found[1]), min(int(found[2]) + 1, size) if found[2] else size
        if found[2] and int(found[2]) < int(found[1]):
            return None
    if start >= end:
        raise RangeNotSatisfiable(size)
    return start, end
