"""A shape: the keys of a TypedDict with their types and what is said about them, read once."""

import types
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from types import NoneType
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from core.foundation.records.markers import Doc

Marker = TypeVar("Marker")


@dataclass(frozen=True, slots=True)
class ShapeKey:
    """A key of a shape. `bare` is its type without null, and without what is said about it.

    `optional`: the key is absent where there is no value; `nullable`: it is there with null.
    """

    name: str
    bare: Any
    doc: str
    optional: bool
    nullable: bool
    said: tuple[Any, ...]

    def find(self, kind: type[Marker]) -> Marker | None:
        """What is said of this kind, if anything."""
        return next((one for one in self.said if isinstance(one, kind)), None)


@cache
def keys_of(shape: Hashable) -> Mapping[str, ShapeKey]:
    """The keys of a shape by name, in the order of their declaration."""
    return {name: _key(name, annotation) for name, annotation in _annotations(shape).items()}


def doc_of(shape: object) -> str:
    """What the shape is, in the words of its docstring."""
    return " ".join(cleandoc(shape.__doc__ or "").split())


def is_shape(annotation: object) -> bool:
    """Whether it is a TypedDict."""
    return is_typeddict(annotation)


def inside(annotation: object) -> Iterator[object]:
    """The annotation and all that it is made of."""
    yield annotation
    for one in get_args(annotation):
        yield from inside(one)


def _annotations(shape: object) -> dict[str, object]:
    """With what a generic shape is extended for in the place of its variables."""
    meant: dict[object, object] = {}
    for base in getattr(shape, "__orig_bases__", ()):
        meant |= zip(getattr(get_origin(base), "__parameters__", ()), get_args(base), strict=False)
    return {
        name: _filled(annotation, meant)
        for name, annotation in get_type_hints(shape, include_extras=True).items()
    }


def _filled(annotation: Any, meant: Mapping[object, object]) -> object:
    variables = getattr(annotation, "__parameters__", ())
    if annotation in meant:
        return meant[annotation]
    return annotation[tuple(meant[one] for one in variables)] if variables else annotation


def _key(name: str, annotation: object) -> ShapeKey:
    optional = False
    if get_origin(annotation) in (NotRequired, Required):
        optional = get_origin(annotation) is NotRequired
        annotation = get_args(annotation)[0]
    bare, said, nullable = _bare(annotation)
    doc = next((one.text for one in said if isinstance(one, Doc)), "")
    return ShapeKey(name, bare, doc, optional, nullable, said)


def _bare(annotation: object) -> tuple[object, tuple[object, ...], bool]:
    """The type without null, what is said about it, and whether it may be null."""
    if get_origin(annotation) is Annotated:
        inner, *said = get_args(annotation)
        bare, more, nullable = _bare(inner)
        return bare, (*more, *said), nullable
    if get_origin(annotation) in (Union, types.UnionType) and NoneType in get_args(annotation):
        present = [one for one in get_args(annotation) if one is not NoneType]
        if len(present) == 1:
            bare, more, _ = _bare(present[0])
            return bare, more, True
        return Union[tuple(present)], (), True  # noqa: UP007 - made as the program runs
    return annotation, (), False
