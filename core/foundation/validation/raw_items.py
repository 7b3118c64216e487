"""Lists of a body whose items are read in turns: each stays as it was sent until its turn comes.

A body of ten thousand lines that is read at once holds everybody else up for as long, and what it
was read into has to be given back at once, too. To find where each line begins and ends takes a
twentieth of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from annotated_types import MaxLen
from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_json

from core.foundation.slices import slices

SomeModel = TypeVar("SomeModel", bound=BaseModel)

_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True, slots=True)
class ReadByItself:
    """`Annotated[Any, ReadByItself(NewThing)]`: a part of a body that the use case reads when its
    turn comes, so that what is wrong with one keeps no other out. Documented as what it is read as.
    """

    model: type[BaseModel]

    def __get_pydantic_json_schema__(self, schema: object, handler: object) -> dict[str, object]:
        """The shape of the model."""
        return {"x-ref": self.model.__name__}


def item_json(item: object) -> bytes:
    """An item of such a list as JSON, whether it stayed as it was sent or not."""
    if isinstance(item, msgspec.Raw):
        return bytes(item)
    return to_json(item)  # orjson writes no integer beyond 64 bits, and NaN as null


@dataclass(frozen=True, slots=True)
class ItemsApart:
    """The items of a body, and the body with a placeholder for each of them."""

    rest: bytes
    field: str
    items: list[msgspec.Raw]

    def put_back(self, value: SomeModel) -> SomeModel:
        """What was read of the rest, with the items in their places."""
        return value.model_copy(update={self.field: self.items})


def items_apart(model: type[BaseModel], raw: bytes) -> ItemsApart | None:
    """None where the model has no such list, or where the body is to be read whole: to say what is
    wrong with it.
    """
    field = _field_of_items(model)
    found = None if field is None else _taken_apart(model, field, raw)
    if field is None or found is None:
        return None
    fields, items = found
    rest = _with_items(model, field, fields, [msgspec.Raw(b"0")] * len(items))
    return ItemsApart(rest, field, items)


def _taken_apart(
    model: type[BaseModel], field: str, raw: bytes
) -> tuple[dict[str, msgspec.Raw], list[msgspec.Raw]] | None:
    """The fields of a body, and the items of this one; None where they are not to be found."""
    try:
        raw.decode()  # the one thing of JSON that is not looked at below
        fields = _object.decode(raw)
        return fields, _list.decode(fields[_name(model, field)])
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError, KeyError):
        return None


def _with_items(
    model: type[BaseModel],
    field: str,
    fields: dict[str, msgspec.Raw],
    items: Sequence[msgspec.Raw],
) -> bytes:
    """The body with other items."""
    return msgspec.json.encode({**fields, _name(model, field): msgspec.Raw(_json_list(items))})


def _name(model: type[BaseModel], field: str) -> str:
    return model.model_fields[field].alias or field


def _json_list(items: Sequence[msgspec.Raw]) -> bytes:
    return b"[" + b",".join(items) + b"]"


@cache
def _field_of_items(model: type[BaseModel]) -> str | None:
    """The field whose items are read by themselves."""
    for name, field in model.model_fields.items():
        if get_origin(field.annotation) is list and _is_read_by_itself(*get_args(field.annotation)):
            return name
    return None


def _is_read_by_itself(item: object) -> bool:
    return get_origin(item) is Annotated and any(
        isinstance(said, ReadByItself) for said in get_args(item)[1:]
    )


PART = 50
"""Items that are read at once, in a quarter of a millisecond or so."""


@dataclass(frozen=True, slots=True)
class ReadInParts:
    """`Annotated[list[NewThing], ReadInParts()]`: a list that may be long. No validator looks at the
    whole of it, but for how many there may be.
    """


@dataclass(frozen=True, slots=True)
class ItemsInParts:
    """A body with the first of its items, and the others as JSON, in parts."""

    first: bytes
    field: str
    parts: Sequence[bytes]
    reader: TypeAdapter[list[Any]]


def items_in_parts(model: type[BaseModel], raw: bytes) -> ItemsInParts | None:
    """None where the model has no such list, or a short one, or where the body is to be read whole: to
    say what is wrong with it.
    """
    listed = _field_in_parts(model)
    found = None if listed is None else _taken_apart(model, listed.field, raw)
    if listed is None or found is None:
        return None
    fields, items = found
    if not PART < len(items) <= listed.most:
        return None
    first = _with_items(model, listed.field, fields, items[:PART])
    rest = [_json_list(part) for part in slices(items[PART:], PART)]
    return ItemsInParts(first, listed.field, rest, listed.reader)


@dataclass(frozen=True, slots=True)
class _Listed:
    field: str
    most: int
    reader: TypeAdapter[list[Any]]


@cache
def _field_in_parts(model: type[BaseModel]) -> _Listed | None:
    for name, field in model.model_fields.items():
        if any(isinstance(said, ReadInParts) for said in field.metadata):
            (most,) = (said.max_length for said in field.metadata if isinstance(said, MaxLen))
            return _Listed(name, most, TypeAdapter[list[Any]](field.annotation or list))
    return None
