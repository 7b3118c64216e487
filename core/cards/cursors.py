"""Places in lists of cards, which can stand in several orders."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from core.foundation.database.pages import cursor_of, values_of
from core.foundation.errors import FieldError, ValidationFailed

MAX_CURSOR_VALUE = 10**15
Value = str | Decimal | date | datetime | None


class Mark(NamedTuple):
    """The place behind a row: its value in the order of the list, its id, and how many rows the
    list has.
    """

    value: Value
    id: str
    total: int


def write_mark(order: str, mark: Mark) -> str:
    """The opaque text for a place in a list of this order."""
    value = mark.value.isoformat() if isinstance(mark.value, date) else mark.value
    text = None if value is None else str(value)
    return cursor_of([order, text, mark.id, mark.total])


def read_mark(
    cursor: str, order: str, read: Callable[[str], str | Decimal | date | datetime | None]
) -> Mark:
    """The place that a text stands for. Raises ValidationFailed for one that is not of a list in
    this order.
    """
    try:
        of_order, text, id, total = values_of(cursor)
        if not isinstance(text, str | None) or not isinstance(id, str):
            raise TypeError
        value = None if text is None else read(text)
        strange = of_order != order or "\x00" in f"{id}{value}"
        if strange or type(total) is not int or not 0 <= total < MAX_CURSOR_VALUE:
            raise ValueError
        if isinstance(value, Decimal) and not (value.is_finite() and -20 <= value.adjusted() < 15):
            raise ValueError
        if isinstance(value, datetime) and value.utcoffset() != timedelta():
            raise ValueError
    except (ValueError, TypeError, ArithmeticError):
        message = "The cursor is not one that a list in this order gave"
        raise ValidationFailed(
            errors=[FieldError("parameter", "cursor", "wrong_format", message)]
        ) from None
    return Mark(value, id, total)
