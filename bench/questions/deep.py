"""Places deep in a list: the cursor of its first page, moved to where nine tenths of the rows lie before it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.questions.samples import Samples
from core.foundation.database.pages import (
    EPOCH,
    MICROSECOND,
    UnreadableCursor,
    cursor_of,
    values_of,
)

DEEP = 0.1
"""Which share of the time, or of the numbers, lies behind the place."""


def next_page(answer: Any) -> str | None:
    """The cursor of the page behind this one, of an answer of REST or of a list of GraphQL."""
    if not isinstance(answer, dict):
        return None
    if isinstance(cursor := answer.get("nextCursor"), str):
        return cursor
    told = answer.get("data")
    while isinstance(told, dict):
        page = told.get("pageInfo")
        if isinstance(page, dict):
            return page["endCursor"] if page.get("hasNextPage") else None
        told = next(iter(told.values())) if len(told) == 1 else None
    return None


def deeper(cursor: str, samples: Samples) -> str:
    """The same order at another place; what it is ordered by besides time and numbers stays."""
    begin, end = samples.span
    place = begin + (end - begin) * DEEP
    try:
        values = values_of(cursor)
    except UnreadableCursor:  # it holds more than a place
        return cursor
    return cursor_of([_moved(value, place) for value in values])


def _moved(value: object, place: datetime) -> object:
    if isinstance(value, int) and value > 10**15:
        return (place - EPOCH) // MICROSECOND
    if isinstance(value, str):
        if re.fullmatch(r"\d{4}-\d\d-\d\d[ T][\d:.]+\+00(:00)?", value):
            return place.astimezone(UTC).isoformat(sep=value[10])
        if re.fullmatch(r"\d{4,}", value):
            return str(int(int(value) * DEEP))
        if re.fullmatch(r"[0-9a-f]{8}-[0-9a-f-]{27}", value):
            millis = (place - EPOCH) // timedelta(milliseconds=1)
            return f"{millis:012x}"[:8] + "-" + f"{millis:012x}"[8:] + value[13:]
    return value
