"""Validation of one condition: the fields, the operators of each, and the values they take."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.contacts import OptInStatus
from core.foundation.channels import ChannelSet
from core.foundation.validation.field_messages import MAX_COMPARED, none_of, unknown_field
from core.segments.card_leaf import FORM, CardAsked, read_card
from core.segments.models import SegmentOperator

Place = tuple[str | int, ...]

MAX_TEXT_LENGTH = 1_000
MAX_VALUES = 100
MAX_DAYS = 36_500
KEY = re.compile(r"[^\x00\ud800-\udfff]{1,64}\Z")
STATUSES = tuple(status.value for status in OptInStatus)


class ReachedOn(ChannelSet, of=lambda facts: facts.segment, last=["WHATSAPP", "INSTAGRAM"]):
    """A channel that a contact has received or answered on."""


PARTS = ("field", "operator", "value", "key")
"""What a condition may have."""


@dataclass(frozen=True, slots=True)
class FilterDefect:
    """What is wrong at a place of the filter."""

    place: Place
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A condition that has been read: `key` only for attributes, `value` as the operator wants it."""

    field: str
    operator: str
    value: Any = None
    key: str | None = None


class UnfitOperand(Exception):
    """The value is not what the operator takes; the message says what it is."""


def read_leaf(value: dict[str, object], place: Place) -> tuple[Leaf | None, list[FilterDefect]]:
    """The leaf, or everything that is wrong with it."""
    compared = PARTS if len(value) <= MAX_COMPARED else ()
    wrong = [
        FilterDefect((*place, name), "unknown_field", unknown_field(name, compared))
        for name in value.keys() - set(PARTS)
    ]
    name, key = _field_of(value)
    if name is None:
        known = [*sorted(FIELDS.keys() - {"attribute"}), "attribute.key"]
        wrong.append(
            FilterDefect((*place, "field"), "not_allowed", none_of(known, value.get("field")))
        )
        return None, wrong
    if name == "attribute" and (key is None or not KEY.match(key)):
        wrong.append(
            FilterDefect(
                (*place, "field"),
                "required",
                "Name the attribute: attribute.city, or its name in key",
            )
        )
    if name != "attribute" and "key" in value:
        wrong.append(FilterDefect((*place, "key"), "unknown_field", "Only attributes have a key"))
    operators = FIELDS[name]
    operator = value.get("operator")
    read = operators.get(operator) if isinstance(operator, str) else None
    if read is None:
        wrong.append(
            FilterDefect((*place, "operator"), "not_allowed", none_of(list(operators), operator))
        )
        return None, wrong
    try:
        taken = read(value.get("value"))
    except UnfitOperand as unfit:
        wrong.append(FilterDefect((*place, "value"), "wrong_type", str(unfit)))
        return None, wrong
    return (None if wrong else Leaf(name, str(operator), taken, key)), wrong


def _field_of(value: dict[str, object]) -> tuple[str | None, str | None]:
    name, key = value.get("field"), value.get("key")
    if not isinstance(name, str):
        return None, None
    if name.startswith("attribute."):
        return "attribute", name.removeprefix("attribute.")
    return (name if name in FIELDS else None), (key if isinstance(key, str) else None)


# What an operator takes ---------------------------------------------------------------------------


def _nothing(value: object) -> None:
    if value is not None:
        raise UnfitOperand("This operator takes no value")


def _text(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_TEXT_LENGTH:
        raise UnfitOperand(f"Send a text of 1 to {MAX_TEXT_LENGTH} characters")
    return value


def _scalar(value: object) -> str | int | float | bool:
    match value:
        case bool():
            return value
        case int() | float() if math.isfinite(value) and abs(value) < 1e15:
            return value
        case str() if len(value) <= MAX_TEXT_LENGTH:
            return value
    raise UnfitOperand("Send a text, a number or a boolean")


def _ordered(value: object) -> str | int | float:
    if isinstance(value, bool):
        raise UnfitOperand("Send a number, or a text such as a date")
    return _scalar(value)


def _pair(value: object) -> list[str | int | float]:
    if not isinstance(value, list) or len(value) != 2:
        raise UnfitOperand("Send an array of two values, the lower one first")
    low, high = _ordered(value[0]), _ordered(value[1])
    if isinstance(low, str) != isinstance(high, str):
        raise UnfitOperand("Send two numbers or two texts")
    return [low, high]


def _days(value: object) -> int:
    if type(value) is not int or not 1 <= value <= MAX_DAYS:
        raise UnfitOperand(f"Send a whole number of days, 1 to {MAX_DAYS}")
    return value


def _time(value: object) -> datetime:
    if isinstance(value, str) and re.match(r"\d{4}-\d{2}-\d{2}", value):
        try:
            at = datetime.fromisoformat(value)
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
    raise UnfitOperand("Send a date-time as ISO 8601, such as 2026-11-21T12:00:00Z")


def _one_of(*known: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise UnfitOperand(f"Send one of {', '.join(known)}")
        return value

    return read


def _several(read: Callable[[object], object]) -> Callable[[object], list[object]]:
    def read_all(value: object) -> list[object]:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_VALUES:
            raise UnfitOperand(f"Send an array of 1 to {MAX_VALUES} values")
        return [read(one) for one in value]

    return read_all


@dataclass(frozen=True, slots=True)
class EventAsked:
    """At least `count` events of a name, at any time or within the last days."""

    name: str
    count: int
    within_days: int | None


def _event(value: object) -> EventAsked:
    match value:
        case {"name": str(name), **rest} if name and not rest.keys() - {"count", "withinDays"}:
            count = rest.get("count", 1)
            days = rest.get("withinDays")
            if type(count) is int and 1 <= count <= 1_000_000:
                return EventAsked(_text(name), count, None if days is None else _days(days))
    raise UnfitOperand(
        "Send an object with name and, if you like, count (1 and more) and withinDays"
    )


def _card(value: object) -> CardAsked:
    asked = read_card(value)
    if asked is None:
        raise UnfitOperand(FORM)
    return asked


Operators = dict[str, Callable[[object], Any]]

_EXISTENCE: Operators = {SegmentOperator.EXISTS: _nothing, SegmentOperator.NOT_EXISTS: _nothing}


def _is_in(read: Callable[[object], object]) -> Operators:
    return {
        SegmentOperator.IS: read,
        SegmentOperator.IS_NOT: read,
        SegmentOperator.IN: _several(read),
        SegmentOperator.NOT_IN: _several(read),
    }


FIELDS: dict[str, Operators] = {
    "tag": {**_is_in(_text), **_EXISTENCE},
    "attribute": {
        SegmentOperator.IS: _scalar,
        SegmentOperator.IS_NOT: _scalar,
        SegmentOperator.CONTAINS: _text,
        SegmentOperator.STARTS_WITH: _text,
        SegmentOperator.IN: _several(_scalar),
        SegmentOperator.GT: _ordered,
        SegmentOperator.GTE: _ordered,
        SegmentOperator.LT: _ordered,
        SegmentOperator.LTE: _ordered,
        SegmentOperator.BETWEEN: _pair,
        **_EXISTENCE,
    },
    "optIn": {
        name: read
        for name, read in _is_in(_one_of(*STATUSES)).items()
        if name != SegmentOperator.NOT_IN
    },
    "lastInteraction": {
        SegmentOperator.BEFORE: _time,
        SegmentOperator.AFTER: _time,
        SegmentOperator.WITHIN_DAYS: _days,
        SegmentOperator.NOT_WITHIN_DAYS: _days,
        **_EXISTENCE,
    },
    "channel": {
        name: read
        for name, read in _is_in(_one_of(*ReachedOn)).items()
        if name != SegmentOperator.NOT_IN
    },
    "event": {SegmentOperator.IS: _event, SegmentOperator.IS_NOT: _event},
    "list": _is_in(_text),
    "segment": {SegmentOperator.IS: _text, SegmentOperator.IS_NOT: _text},
    "company": {**_is_in(_text), **_EXISTENCE},
    "card": {SegmentOperator.IS: _card, SegmentOperator.IS_NOT: _card, **_EXISTENCE},
    "clicked": {
        SegmentOperator.IS: _text,
        SegmentOperator.IS_NOT: _text,
        SegmentOperator.WITHIN_DAYS: _days,
        **_EXISTENCE,
    },
}
"""The operators of each field, and how each reads its value."""

ATTRIBUTE_OPERATORS = tuple(FIELDS["attribute"])
