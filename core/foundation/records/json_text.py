"""Records as JSON that PostgreSQL writes: one text for each row, no Python object.

A text is put together by `concat`, which passes over what is NULL: that costs half of
`json_build_object` with `json_strip_nulls`, and leaves the nulls alone that customers store. What
only Python can make (a mask, a hash with our key) is read beside the text and put behind it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, get_origin

import orjson

from core.foundation.records.markers import DAY, ID, INSTANT
from core.foundation.records.shape import inside, is_shape

if TYPE_CHECKING:
    from core.foundation.records.record import RecordField

TIME = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
MAX_PIECES = 90
"""Of one concat: PostgreSQL's functions take a hundred arguments."""


@dataclass(frozen=True, slots=True)
class MadeBehind:
    """A key that Python makes of values beside the text."""

    name: bytes
    make: Callable[..., object]
    places: slice
    keeps_null: bool


@dataclass(frozen=True, slots=True)
class JsonText:
    """How rows become texts. `text` is the SQL of a text without its closing brace, `beside` that
    of the values which Python needs as a JSON array, or None.
    """

    text: str
    beside: str | None
    behind: tuple[MadeBehind, ...]

    def finish(self, texts: Sequence[str], beside: Sequence[str] | None) -> Iterable[bytes]:
        """The objects of these rows."""
        if beside is None:
            return [f"{text}}}".encode() for text in texts]
        values = orjson.loads(f"[{','.join(beside)}]")
        return (
            b"".join((text.encode(), *self._made(of), b"}"))
            for text, of in zip(texts, values, strict=True)
        )

    def _made(self, values: list[object]) -> Iterable[bytes]:
        for one in self.behind:
            given = values[one.places]
            value = None if given == [None] else one.make(*given)
            if value is not None or one.keeps_null:
                yield b',"%s":%s' % (one.name, orjson.dumps(value))


def compiled(fields: Sequence["RecordField"], *, masked: bool) -> JsonText:
    """How records with these fields are written, for callers with or without pii:full."""
    written: list[RecordField] = []
    beside: list[str] = []
    behind: list[MadeBehind] = []
    for field in fields:
        if masked and field.hidden:
            continue
        make = _made_by_python(field, masked=masked)
        if make is None:
            written.append(field)
            continue
        columns = list(field.columns())
        places = slice(len(beside), len(beside) + len(columns))
        keeps_null = field.key.nullable and not field.key.optional
        behind.append(MadeBehind(field.name.encode(), make, places, keeps_null))
        beside += columns
    values = f"json_build_array({', '.join(beside)})::text" if beside else None
    return JsonText(_object(written, masked=masked), values, tuple(behind))


def _made_by_python(field: "RecordField", *, masked: bool) -> Callable[..., object] | None:
    """What makes the value from its columns as JSON, where PostgreSQL cannot."""
    if field.made is not None:
        if masked and field.made.masked is not None:
            return field.made.masked
        return None if field.made.sql is not None else field.made.make
    return field.mask if masked else None


def _object(fields: Sequence["RecordField"], *, masked: bool) -> str:
    """The SQL of an object without its closing brace. Its first key is one that is always there."""
    first = next((one for one in fields if not one.key.optional and not one.parts), None)
    assert first is not None, "a record has a key that is always there"
    pieces = [_piece("{", first)]
    for field in fields:
        if field is first:
            continue
        if field.parts:
            pieces.append(f"',{_name(field)}' || {_object(field.parts, masked=masked)} || '}}'")
        else:
            pieces.append(_piece(",", field))
    return _concat(pieces)


def _concat(pieces: list[str]) -> str:
    if len(pieces) > MAX_PIECES:
        groups = [pieces[at : at + MAX_PIECES] for at in range(0, len(pieces), MAX_PIECES)]
        pieces = [_concat(group) for group in groups]
    return f"concat({', '.join(pieces)})"


def _piece(before: str, field: "RecordField") -> str:
    return f"'{before}{_name(field)}' || {_present(field)}".replace("""' || '"' ||""", """"' ||""")


def _name(field: "RecordField") -> str:
    return f'"{field.name}":'


def _present(field: "RecordField") -> str:
    """The SQL of the value as JSON: NULL where the key is to be absent."""
    value = field.made.sql if field.made is not None else _value(field)
    assert value is not None
    nullable = field.key.nullable and not field.key.optional
    return f"coalesce({value}, 'null')" if nullable else value


def _value(field: "RecordField") -> str:
    column, key = field.column, field.key
    assert column is not None
    if INSTANT in key.said:
        return f"""'"' || {TIME.format(column)} || '"'"""
    if DAY in key.said:
        return f"""'"' || {column}::text || '"'"""
    if ID in key.said or _is_enum(key.bare):  # nothing in it needs to be escaped
        return f"""'"' || {column} || '"'"""
    if key.bare is float:
        return f"to_json({column}::float8)::text"
    if key.bare in (int, bool) or _is_json(key.bare):
        return f"{column}::text"
    return f"to_json({column})::text"


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _is_json(kind: object) -> bool:
    """Whether its column is of type jsonb: objects, and lists of them."""
    return (
        is_shape(kind)
        or get_origin(kind) is dict
        or (get_origin(kind) is list and any(map(is_shape, inside(kind))))
    )
