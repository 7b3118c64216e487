"""Lists of a body whose items are read one by one: each stays as it was sent until its turn comes.

A body of ten thousand lines that is read at once holds everybody else up for as long, and what it
was read into has to be given back at once, too. To find where each line begins and ends takes a
twentieth of that.
"""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, TypeVar, get_args, get_origin

import msgspec
from pydantic import BaseModel
from pydantic_core import to_json

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
    if field is None:
        return None
    name = model.model_fields[field].alias or field
    try:
        raw.decode()  # the one thing of JSON that is not looked at below
        fields = _object.decode(raw)
        items = _list.decode(fields[name])
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError, KeyError):
        return None
    fields[name] = msgspec.Raw(b"[" + b",".join([b"0"] * len(items)) + b"]")
    return ItemsApart(msgspec.json.encode(fields), field, items)


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
