"""The field names that an object of a body may have, to suggest one for a misspelt name."""

from collections.abc import Iterator, Sequence
from typing import get_args

from pydantic import BaseModel

Model = type[BaseModel]


def names_at(model: Model, place: Sequence[str | int]) -> set[str]:
    """The names of the fields at a place of a model; of all the kinds of object that can stand
    there.
    """
    models = {model}
    for part in place:
        if isinstance(part, str):  # an index stays among the models of its list
            models = {inner for one in models for inner in _models_of(one, part)}
    return {name for one in models for name, _ in _fields(one)}


def _models_of(model: Model, name: str) -> Iterator[Model]:
    for other, annotation in _fields(model):
        if other == name:
            yield from _models_in(annotation)


def _fields(model: Model) -> Iterator[tuple[str, object]]:
    for name, field in model.model_fields.items():
        yield field.alias or name, field.annotation


def _models_in(annotation: object) -> Iterator[Model]:
    """The models that an annotation speaks of, in whatever it wraps them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
