"""The fields of an entity, made of a record's declaration."""

from collections.abc import Callable, Sequence

from core.foundation.records import DAY, INSTANT, Record, RecordField
from core.foundation.records.record import SomeRecord
from core.read_models.query_compiler.entity import Field, Make, wire_time_of


def fields_of(record: Record[SomeRecord]) -> dict[str, Field]:
    """A field for each key of the record. Keys without a value are null here."""
    return {field.name: _field(field) for field in record.fields}


def _field(field: RecordField) -> Field:
    if field.parts:
        return _spread(field)
    if field.made is not None:
        return _made(field)
    make = _conversion(field)
    masked = field.mask or (_nothing if field.hidden else None)
    return Field(f"{{t}}.{field.column}", make, masked, field.scope)


def _conversion(field: RecordField) -> Make | None:
    if INSTANT in field.key.said:
        return wire_time_of
    # PostgreSQL writes a day as the interface does.
    return float if field.key.bare is float and DAY not in field.key.said else None


def _nothing(value: object) -> None:
    """What is hidden."""


def _made(field: RecordField) -> Field:
    assert field.made is not None
    columns = field.made.columns
    make, masked = field.made.make, field.made.masked or field.mask
    if len(columns) == 1:
        return Field(f"{{t}}.{columns[0]}", make, masked, field.scope)
    sql = f"json_build_array({', '.join(f'{{t}}.{name}' for name in columns)})"
    return Field(sql, _of_values(make), masked and _of_values(masked), field.scope)


def _of_values(make: Callable[..., object]) -> Make:
    return lambda values: make(*values)


def _spread(field: RecordField) -> Field:
    """An object that has columns of its own: an array of them, in the order of its keys."""
    parts = [(part.name, _field(part)) for part in field.parts]
    sql = f"json_build_array({', '.join(one.sql for _, one in parts)})"
    differs = any(one.masked is not None for _, one in parts)
    return Field(
        sql,
        _object([(name, one.make) for name, one in parts]),
        _object([(name, one.masked or one.make) for name, one in parts]) if differs else None,
        field.scope,
    )


def _object(parts: Sequence[tuple[str, Make | None]]) -> Make:
    def make(values: list[object]) -> dict[str, object]:
        return {
            name: value if value is None or convert is None else convert(value)
            for (name, convert), value in zip(parts, values, strict=True)
        }

    return make
