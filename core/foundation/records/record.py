"""A record: a shape that is stored, with the column behind each key. Compiled when it is declared."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.foundation.clock import wire_time
from core.foundation.database.rows import HasColumns
from core.foundation.records import json_text
from core.foundation.records.markers import (
    DAY,
    INSTANT,
    Column,
    Hidden,
    Loaded,
    Made,
    Masked,
    Scoped,
    Spread,
)
from core.foundation.records.shape import ShapeKey, keys_of
from core.foundation.security.caller import Caller, Scope

SomeRecord = TypeVar("SomeRecord")
Convert = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class RecordField:
    """A key of a record, and where its value comes from.

    Exactly one of them: a `column`; `parts`, the keys of an object that has columns of its own;
    `made`, a function over columns.
    """

    key: ShapeKey
    column: str | None
    parts: tuple["RecordField", ...]
    made: Made | None
    convert: Convert | None
    """From the value of the column to that of the record."""

    @property
    def name(self) -> str:
        """Its name on the wire."""
        return self.key.name

    @property
    def mask(self) -> Convert | None:
        """What callers without pii:full get of its value."""
        masked = self.key.find(Masked)
        return masked.mask if masked is not None else None

    @property
    def hidden(self) -> bool:
        """Whether callers without pii:full do not get it at all."""
        return self.key.find(Hidden) is not None

    @property
    def scope(self) -> Scope | None:
        """Who may read it also in the answer of a change."""
        scoped = self.key.find(Scoped)
        return scoped.scope if scoped is not None else None

    def columns(self) -> Iterator[str]:
        """The columns that it is read from."""
        if self.made is not None:
            yield from self.made.columns
        elif self.column is not None:
            yield self.column
        for part in self.parts:
            yield from part.columns()


class Record(Generic[SomeRecord]):
    """A shape with its columns: what makes its values, from rows and in lists.

    `masked_differs` tells whether callers without pii:full get something else.
    """

    def __init__(self, shape: type[SomeRecord]) -> None:
        self.shape = shape
        self.fields = _fields_of(shape, "")
        names = dict.fromkeys(name for field in self.fields for name in field.columns())
        self.columns = ", ".join(names)
        self._open = _maker(self.fields, masked=False)
        self._masked = _maker(self.fields, masked=True)
        self.open_json = json_text.compiled(self.fields, masked=False)
        self.masked_json = json_text.compiled(self.fields, masked=True)
        self.masked_differs = self.masked_json != self.open_json

    def make(self, row: HasColumns, *, unmasked: bool) -> SomeRecord:
        """The record of a row, which has the columns by name. Optional keys without a value are
        absent.
        """
        made: SomeRecord = self._open(row) if unmasked else self._masked(row)
        return made

    def make_for(self, caller: Caller, row: HasColumns) -> SomeRecord:
        """The same, as the caller may see it."""
        return self.make(row, unmasked=caller.sees_personal_data)

    def written_list(self, rows: str, *, order: str) -> str:
        """The SQL of a JSON array of the records of rows, which `FROM … WHERE …` finds, in an order.

        For records of which nothing is masked or made by Python: parts of a record that is read.
        """
        text = self.open_json
        assert text.beside is None, "PostgreSQL writes it alone"
        assert not self.masked_differs, "nobody is shown less"
        objects = f"string_agg({text.text} || '}}', ',' ORDER BY {order})"
        return f"(SELECT concat('[', {objects}, ']') {rows})"

    def json_for(self, caller: Caller) -> json_text.JsonText:
        """How PostgreSQL writes it for this caller."""
        return self.open_json if caller.sees_personal_data else self.masked_json


def _fields_of(shape: object, prefix: str) -> tuple[RecordField, ...]:
    return tuple(_field(key, prefix) for key in keys_of(shape).values() if key.find(Loaded) is None)


def _field(key: ShapeKey, prefix: str) -> RecordField:
    made, spread = key.find(Made), key.find(Spread)
    if made is not None:
        return RecordField(key, None, (), made, None)
    if spread is not None:
        return RecordField(key, None, _fields_of(key.bare, prefix + spread.prefix), None, None)
    column = key.find(Column)
    name = column.name if column is not None else prefix + snake_case(key.name)
    return RecordField(key, name, (), None, _conversion(key))


def snake_case(name: str) -> str:
    """`lastInteractionAt` as `last_interaction_at`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def _conversion(key: ShapeKey) -> Convert | None:
    if INSTANT in key.said:
        return wire_time
    if DAY in key.said:
        return str
    return float if key.bare is float else None


def _maker(fields: tuple[RecordField, ...], *, masked: bool) -> Callable[[HasColumns], Any]:
    """A function written for these fields: a third faster than a loop over them."""
    names: dict[str, Any] = {}
    always: list[str] = []
    sometimes: list[str] = []
    for place, field in enumerate(fields):
        if masked and field.hidden:
            continue
        value, convert = _value(field, place, names, masked=masked)
        if not field.key.optional and not field.key.nullable:
            always.append(f"{field.name!r}: {convert.format(value)}")
        elif field.key.nullable and not field.key.optional:
            shown = f"None if (v{place} := {value}) is None else {convert.format(f'v{place}')}"
            always.append(f"{field.name!r}: {shown}")
        else:
            absent = "is not None" if not field.parts else ""
            sometimes += [
                f"    if (v{place} := {value}) {absent}:",
                f"        record[{field.name!r}] = {convert.format(f'v{place}')}",
            ]
    lines = ["def make(row):", f"    record = {{{', '.join(always)}}}", *sometimes]
    exec("\n".join([*lines, "    return record"]), names)  # noqa: S102 - names of our own keys only
    make: Callable[[HasColumns], Any] = names["make"]
    return make


def _value(
    field: RecordField, place: int, names: dict[str, object], *, masked: bool
) -> tuple[str, str]:
    """The expression of a field's value in `row`, and what is made of it where it is there."""
    convert = "{}"
    if field.parts:
        names[f"part{place}"] = _maker(field.parts, masked=masked)
        return f"part{place}(row)", convert
    if field.made is not None:
        function = field.made.masked if masked and field.made.masked else field.made.make
        names[f"make{place}"] = function
        value = f"make{place}({', '.join(f'row[{name!r}]' for name in field.made.columns)})"
    else:
        value = f"row[{field.column!r}]"
    if field.convert is not None:
        names[f"convert{place}"] = field.convert
        convert = f"convert{place}({convert})"
    if masked and field.mask is not None:
        names[f"mask{place}"] = field.mask
        convert = f"mask{place}({convert})"
    return value, convert
