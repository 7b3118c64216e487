"""Inputs of mutations, made of the models that REST reads its bodies with.

What GraphQL can say of a field (its type, whether it is required, its closed set) stands in the
schema; everything else is refused by the model itself, with its code and the place of the field, as
over REST.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import strawberry
from graphql import GraphQLInputObjectType, GraphQLSchema, Undefined
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.json_schema import SkipJsonSchema
from strawberry import UNSET

from core.foundation.described_enum import DescribedEnum
from core.foundation.records import doc_of, keys_of
from core.foundation.validation.inputs import (
    Input,
    OfShape,
    QueryInput,
    read_body,
    read_query,
)
from core.foundation.validation.raw_items import ReadByItself
from core.foundation.validation.validation_errors import is_choice
from graphql_api.enums import enum_of
from graphql_api.records import annotation_of
from graphql_api.scalars import JSON, BigInt, Date, DateTime

Model = type[Input] | type[QueryInput]
SomeModel = TypeVar("SomeModel", bound=Input | QueryInput)

IDS = ("Id", "Ids")
OURS = {"id", "inReplyTo", "antesDe", "depoisDe", "moverPara"}
"""More fields that hold ids."""

NOT_OURS = {"externalId", "externalIds", "eventId", "senderId"}
"""Ids that callers make up: texts for us."""

AMOUNTS = ("Cents", "Coins")
"""Fields of this ending need more than 32 bits."""

SCALARS: dict[Any, Any] = {
    str: str,
    int: int,
    float: float,
    bool: bool,
    datetime: DateTime,
    date: Date,
}

_enums: dict[Any, Any] = {}
_names: dict[type[BaseModel], str] = {}
_inputs: dict[tuple[type[BaseModel], str], Any] = {}
_shapes: dict[Any, Any] = {}

SomeType = TypeVar("SomeType", bound=type)


def register_enum(closed: Any, enum: Any) -> None:
    """A closed set of core (a StrEnum or a Literal) is this enum in inputs: the one of the outputs,
    where one is.
    """
    if _enums.setdefault(closed, enum) is not enum:
        raise ValueError(f"{closed} has an enum already")


def leave_as_json(model: type[BaseModel]) -> None:
    """The schema knows the inputs of this model as JSON; they are read by the model all the same."""
    SCALARS[model] = JSON


def name_input(model: type[BaseModel], name: str) -> None:
    """The schema knows the input of this model by another name than core's."""
    _names[model] = name


def input_of(model: type[BaseModel], name: str | None = None) -> Any:
    """The input type of a model, made once for each name."""
    name = name or _names.get(model, f"{model.__name__}Input")
    if (model, name) not in _inputs:
        _inputs[model, name] = _made(model, name)
    return _inputs[model, name]


def line_input_of(model: type[BaseModel]) -> Any:
    """The input type of lines that are read as this model by themselves. Nothing is required of a
    line here: what it lacks is told in the answer, and keeps no other out.
    """
    name = f"{model.__name__.removeprefix('New')}LineInput"
    if (model, name) not in _inputs:
        _inputs[model, name] = _made(model, name, requires=False)
    return _inputs[model, name]


def input_type(shape: Any) -> Callable[[SomeType], SomeType]:
    """The input type of a shape, by which `OfShape` means it. What the class declares under the name
    of a key stands in the key's place; it is told what the key is.
    """

    def make(declared: SomeType) -> SomeType:
        own = dict(vars(declared).get("__annotations__", {}))
        keys = keys_of(shape)
        declared.__annotations__ = {
            name: own.get(name) or annotation_of(key) for name, key in keys.items()
        }
        for name, key in keys.items():
            default = {"default": UNSET} if key.optional else {}
            setattr(declared, name, strawberry.field(name=name, description=key.doc, **default))
        made = strawberry.input(declared, description=doc_of(shape))
        _shapes[shape] = made
        return made

    return make


def mark_choices(schema: GraphQLSchema) -> None:
    """Let graphql-core know which inputs are `@oneOf`: its own rules look at documents then."""
    for type in schema.type_map.values():
        if isinstance(type, GraphQLInputObjectType):
            type.is_one_of = type.extensions["strawberry-definition"].is_one_of


def read_input(model: type[SomeModel], given: Mapping[str, Any]) -> SomeModel:
    """What an argument says, as the model. Raises ValidationFailed, the one that the same body
    meets over REST.
    """
    if issubclass(model, QueryInput):
        query = read_query(
            model, [(name, str(value)) for name, value in given.items() if value is not None]
        )
        return cast("SomeModel", query)
    body: type[Input] = model
    return cast(
        "SomeModel", read_body(body, json.dumps(_without_absent(given), default=_as_text).encode())
    )


def _without_absent(value: Any) -> Any:
    """A variable without a value, inside of a JSON: its field is left out, its place in a list is
    null.
    """
    match value:
        case dict():
            return {
                name: _without_absent(one) for name, one in value.items() if one is not Undefined
            }
        case list():
            return [None if one is Undefined else _without_absent(one) for one in value]
    return value


def _as_text(moment: date) -> str:
    """A scalar of ours that was read already, a day or a date-time, as JSON has it."""
    return moment.isoformat()


def choice_of(models: Any, name: str, kinds: type[DescribedEnum], *, description: str) -> None:
    """The input type of one of several models, which a field of these kinds tells apart: the fields of
    all of them. What each of them demands is required; what one of them does is the model's to refuse.
    """
    fields: dict[str, FieldInfo] = {}
    for model in get_args(models):
        for python_name, field in model.model_fields.items():
            fields.setdefault(python_name, field)
            if get_origin(field.annotation) is Literal:
                register_enum(field.annotation, enum_of(kinds))
    required = frozenset(
        python_name
        for python_name in fields
        if all(_demands(model, python_name) for model in get_args(models))
    )
    SCALARS[models] = _input_type(
        name, fields, required, module=get_args(models)[0].__module__, told=description
    )


def _demands(model: type[BaseModel], python_name: str) -> bool:
    field = model.model_fields.get(python_name)
    # GraphQL knows no field that is required and may be null: the model demands it.
    return field is not None and field.is_required() and NoneType not in get_args(field.annotation)


def _made(model: type[BaseModel], name: str, *, requires: bool = True) -> Any:
    required = frozenset(one for one in model.model_fields if requires and _demands(model, one))
    return _input_type(
        name,
        model.model_fields,
        required,
        module=model.__module__,
        told=_sentence(model.__doc__),
        one_of=is_choice(model),
    )


def _input_type(
    name: str,
    model_fields: Mapping[str, FieldInfo],
    required: Collection[str],
    *,
    module: str,
    told: str | None,
    one_of: bool = False,
) -> Any:
    annotations: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    for python_name, field in model_fields.items():
        if any(isinstance(mark, SkipJsonSchema) for mark in field.metadata):  # type: ignore[misc]  # a class, for all that
            continue  # known only to be refused with a word about why
        wire_name = field.alias or python_name
        type_ = _type_of(field.annotation, wire_name)
        annotations[python_name] = type_ if python_name in required else type_ | None
        # No default in the schema: for changes, what is left out is not what is null.
        default = {} if python_name in required else {"default": UNSET}
        fields[python_name] = strawberry.field(
            name=wire_name, description=_description(field), **default
        )
    made = type(name, (), {"__annotations__": annotations, "__module__": module, **fields})
    return strawberry.input(made, description=told, one_of=one_of)


def _description(field: FieldInfo) -> str | None:
    """What the field is: as the field says it, or as its type says it wherever it is used."""
    if field.description:
        return field.description
    said = (one.description for one in _said(field.annotation) if isinstance(one, FieldInfo))
    return next(filter(None, said), None)


def _said(annotation: Any) -> Iterator[Any]:
    """What is said about a type, null or not."""
    if get_origin(annotation) is Annotated:
        yield from get_args(annotation)[1:]
    if get_origin(annotation) in (Union, UnionType):
        for one in get_args(annotation):
            yield from _said(one)


def _type_of(annotation: Any, name: str) -> Any:
    """The type of a field, without its null."""
    bare = _bare(annotation)
    if (read_by := _read_by(annotation)) is not None:
        return list[read_by] if get_origin(bare) is list else read_by
    if get_origin(bare) is list:
        return list[_type_of(get_args(bare)[0], name)]  # type: ignore[misc]  # made as the program runs
    if get_origin(bare) is Literal or _is_a(bare, StrEnum):
        return enum_of(bare) if _is_a(bare, DescribedEnum) else _enums[bare]
    if _is_a(bare, BaseModel) and bare not in SCALARS:
        return input_of(bare)
    return _scalar_of(bare, name)


def _read_by(annotation: Any) -> Any:
    """The input type of what is read by a validator of its own, where its form is known."""
    for one in _said(annotation):
        if isinstance(one, ReadByItself):
            return line_input_of(one.model)
        if isinstance(one, OfShape):
            return enum_of(one.shape) if _is_a(one.shape, DescribedEnum) else _shapes[one.shape]
    return None


def _scalar_of(bare: Any, name: str) -> Any:
    if bare is str and (name in OURS or name.endswith(IDS)) and name not in NOT_OURS:
        return strawberry.ID
    if bare is int and name.endswith(AMOUNTS):
        return BigInt
    return SCALARS.get(bare, JSON)


def _bare(annotation: Any) -> Any:
    """Without what is said about it, and without null; a choice of several types stays one."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        present = [one for one in get_args(annotation) if one is not NoneType]
        return _bare(present[0]) if len(present) == 1 else annotation
    return annotation


def _is_a(bare: Any, kind: type) -> bool:
    return isinstance(bare, type) and issubclass(bare, kind)


def _sentence(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None
