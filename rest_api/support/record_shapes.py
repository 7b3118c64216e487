"""What documents an answer: the model of a shape that core declares."""

from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from core.foundation.records import DAY, INSTANT, URI, ShapeKey, doc_of, is_shape, keys_of, names_of
from rest_api.support.shapes import Out

FORMATS = {INSTANT: {"format": "date-time"}, DAY: {"format": "date"}, URI: {"format": "uri"}}


def model_of(answer: Any) -> type[BaseModel]:
    """The model of an answer: itself, or what is made of a shape, once for each."""
    return _made(answer) if is_shape(answer) else answer


@cache
def _made(shape: Any) -> type[BaseModel]:
    fields: dict[str, Any] = {key.name: _field(key) for key in keys_of(shape).values()}
    name = names_of(shape).rest
    return create_model(name, __base__=Out, __doc__=doc_of(shape), __module__=__name__, **fields)


def _field(key: ShapeKey) -> tuple[Any, Any]:
    """The annotation and the default of a key. An absent one is None here, as in every shape."""
    said = [one for one in key.said if hasattr(one, "__get_pydantic_json_schema__")]
    kind = _unread(key.bare) if said else _type(key.bare)
    for form, schema in FORMATS.items():
        if form in key.said:
            said.append(Field(json_schema_extra=dict(schema)))
    if said:
        kind = Annotated[(kind, *said)]
    if key.optional or key.nullable:
        kind = kind | None
    default: Any = None if key.optional else ...
    return kind, Field(default, alias=key.name, description=key.doc or None)


def _unread(bare: Any) -> Any:
    """The type of what says its own schema, which may hold itself: without what is inside of it."""
    if is_shape(bare):
        return dict[str, Any]
    return list[Any] if get_origin(bare) is list else bare


def _type(bare: Any) -> Any:
    """The type with models in the place of shapes."""
    if is_shape(bare):
        return _made(bare)
    if get_origin(bare) is Annotated:
        inner, *said = get_args(bare)
        extras = [Field(json_schema_extra=dict(FORMATS[one])) for one in said if one in FORMATS]
        extras += [one for one in said if isinstance(one, FieldInfo)]
        return Annotated[(_type(inner), *extras)] if extras else _type(inner)
    if arguments := get_args(bare):
        inside = tuple(map(_type, arguments))
        origin = Union if get_origin(bare) is UnionType else get_origin(bare)
        return origin[inside]
    return bare
