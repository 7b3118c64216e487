"""Types of the schema that are made of the shapes which core declares."""

from collections.abc import Callable, Collection, Iterable
from functools import cache
from keyword import iskeyword
from typing import Annotated, Any, TypeVar, get_args, get_origin

import strawberry

from core.foundation.described_enum import DescribedEnum
from core.foundation.records import (
    DAY,
    ID,
    INSTANT,
    LARGE,
    OF_QUERY,
    Loaded,
    ShapeKey,
    doc_of,
    is_shape,
    keys_of,
    names_of,
    snake_case,
)
from graphql_api.enums import enum_of
from graphql_api.scalars import JSON, BigInt, Date, DateTime

SomeType = TypeVar("SomeType", bound=type)

FORMS: dict[Any, Any] = {ID: strawberry.ID, INSTANT: DateTime, DAY: Date, LARGE: BigInt}
PLAIN = frozenset({str, int, float, bool})


def record_type(shape: Any, *, without: Collection[str] = ()) -> Callable[[SomeType], SomeType]:
    """The type of a record: its keys, and behind them the relations that the class declares.

    What the class declares under the name of a key stands in the key's place. What another query
    loads is a relation. `without`: keys that are read elsewhere in the schema.
    """

    def make(declared: SomeType) -> SomeType:
        own = dict(vars(declared).get("__annotations__", {}))
        made = {
            name: key
            for name, key in keys_of(shape).items()
            if _is_shown(key) and name not in without and not _is_declared(declared, name)
        }
        declared.__annotations__ = {
            _attribute(name): annotation_of(key) for name, key in made.items()
        } | own
        for name, key in made.items():
            field = strawberry.field(name=name, description=key.doc or None)
            setattr(declared, _attribute(name), field)
        _tell_declared(declared, shape, own)
        told = doc_of(declared) or doc_of(shape)
        return strawberry.type(declared, name=names_of(shape).graphql, description=told)

    return make


@cache
def type_of(shape: Any) -> Any:
    """The type of an answer, or of an object inside a record; made once for each shape."""
    name = names_of(shape).graphql
    made = type(name, (), {"__module__": shape.__module__, "__annotations__": {}})
    return record_type(shape)(made)


def _tell_declared(declared: type, shape: Any, own: Iterable[str]) -> None:
    """What the class declares in the place of a key is what the key is."""
    keys = {_attribute(snake_case(name)): key for name, key in keys_of(shape).items()}
    for name in own:
        if (key := keys.get(name)) is not None and name not in vars(declared):
            setattr(declared, name, strawberry.field(name=key.name, description=key.doc or None))


def _is_shown(key: ShapeKey) -> bool:
    """Whether it is a field of the type: not what another query loads, which is a relation."""
    return key.find(Loaded) is None and OF_QUERY not in key.said


def _attribute(name: str) -> str:
    """What a class calls a key: `from` is none of Python's names."""
    return f"{name}_" if iskeyword(name) else name


def _is_declared(declared: type, name: str) -> bool:
    """Whether the class or an interface of its has a field of this name."""
    return any(
        {_attribute(name), _attribute(snake_case(name))}
        & vars(one).get("__annotations__", {}).keys()
        for one in declared.__mro__
    )


def annotation_of(key: ShapeKey) -> Any:
    """The type of a field for a key."""
    made = _type(key.bare, key.said)
    return made | None if key.optional or key.nullable else made


def _type(bare: Any, said: tuple[Any, ...] = ()) -> Any:
    if get_origin(bare) is Annotated:
        inner, *more = get_args(bare)
        return _type(inner, tuple(more))
    for form, scalar in FORMS.items():
        if form in said:
            return scalar
    if is_shape(bare):
        return type_of(bare)
    if get_origin(bare) is list:
        return list[_type(get_args(bare)[0])]  # type: ignore[misc]  # made as the program runs
    if isinstance(bare, type) and issubclass(bare, DescribedEnum):
        return enum_of(bare)
    return bare if bare in PLAIN else JSON
