"""Validation errors per field: the findings of pydantic and NUL characters, as pointer and code."""

from collections.abc import Iterable, Mapping

from pydantic_core import ErrorDetails

from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.validation.field_messages import worded

UP = -1
"""In the place of a finding: from a field back to the object that it belongs to. No array has such
an index.
"""


def body_error(detail: ErrorDetails, known: Iterable[str] = ()) -> FieldError:
    """A finding in a body, by its JSON Pointer. `known`: the names that would have been right where
    one is not.
    """
    parts = detail["loc"]
    if parts and parts[-1] == "[key]" and detail["type"] != "extra_forbidden":
        parts = parts[:-1]  # pydantic's mark behind a key that is itself wrong
    place: list[str] = []
    for part in parts:
        if part == UP:
            place.pop()
        else:
            place.append(f"/{_escaped(str(part))}")
    return FieldError("pointer", "".join(place), *worded(detail, known))


def parameter_error(detail: ErrorDetails) -> FieldError:
    """A finding in a query string, by the parameter."""
    return FieldError("parameter", str(detail["loc"][0]), *worded(detail))


def refuse_nul(value: object) -> None:
    """PostgreSQL stores no NUL: name every field that holds one. Raises ValidationFailed."""
    if errors := nul_errors(value):
        raise ValidationFailed(errors=errors)


def nul_errors(value: object) -> list[FieldError]:
    """Every field of a body that holds a NUL, as its value or in its name."""
    return [
        FieldError("pointer", pointer, "nul", "A text cannot hold the character NUL")
        for pointer in dict.fromkeys(_nul_pointers(value, ""))
    ]


def _nul_pointers(value: object, path: str) -> Iterable[str]:
    match value:
        case str():
            if "\x00" in value:
                yield path
        case Mapping():
            for key, item in value.items():
                pointer = f"{path}/{_escaped(key)}"
                if "\x00" in key:
                    yield pointer
                yield from _nul_pointers(item, pointer)
        case list():
            for place, item in enumerate(value):
                yield from _nul_pointers(item, f"{path}/{place}")


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
