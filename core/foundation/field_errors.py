"""What is wrong with which field: the findings of pydantic, and the character NUL, in the interface's words."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from core.foundation.errors import FieldError, ValidationFailed

CODES = {
    "missing": "required",
    "extra_forbidden": "unknown_field",
    "string_type": "wrong_type",
    "bool_type": "wrong_type",
    "int_type": "wrong_type",
    "float_type": "wrong_type",
    "dict_type": "wrong_type",
    "list_type": "wrong_type",
    "model_type": "wrong_type",
    "model_attributes_type": "wrong_type",
    "string_too_long": "too_long",
    "string_too_short": "too_short",
    "too_long": "too_many",
    "too_short": "too_few",
    "literal_error": "not_allowed",
    "enum": "not_allowed",
    "string_pattern_mismatch": "wrong_format",
    "string_unicode": "wrong_format",
    "union_tag_invalid": "not_allowed",
    "union_tag_not_found": "required",
    "finite_number": "not_finite",
    "int_parsing": "wrong_type",
    "int_from_float": "wrong_type",
    "int_parsing_size": "too_large",
    "float_parsing": "wrong_type",
    "bool_parsing": "wrong_type",
    "datetime_type": "wrong_type",
    "datetime_parsing": "wrong_format",
    "datetime_from_date_parsing": "wrong_format",
    "datetime_object_invalid": "wrong_format",
    "date_type": "wrong_type",
    "date_parsing": "wrong_format",
    "date_from_datetime_parsing": "wrong_format",
    "date_from_datetime_inexact": "wrong_format",
    "greater_than_equal": "too_small",
    "greater_than": "too_small",
    "less_than_equal": "too_large",
    "less_than": "too_large",
}
MESSAGES = {
    "model_type": "Send an object",
    "model_attributes_type": "Send an object",
    "dict_type": "Send an object",
    "list_type": "Send an array",
    "finite_number": "A number is finite",
    "missing": "This field is required",
    "extra_forbidden": "This operation knows no such field",
    "string_unicode": "The text is not valid Unicode",
    "datetime_object_invalid": "There is no such date-time",
    "string_pattern_mismatch": "The text does not have the form that the documentation gives",
    "union_tag_not_found": "The field that tells the kind is missing; see the documentation for the kinds",
    "union_tag_invalid": "This kind does not exist; see the documentation for the kinds that do",
}
REWORDED = (
    ("Value error, ", ""),
    ("Dictionary should", "An object should"),
    ("List should", "An array should"),
    (" after validation, not", ", not"),
)
"""Parts of sentences that tell numbers, and so cannot be replaced whole."""

UP = -1
"""In the place of a finding: from a field back to the object that it belongs to. No array has such an index."""


def body_error(detail: ErrorDetails) -> FieldError:
    """A finding in a body, by its JSON Pointer."""
    parts = detail["loc"]
    if parts and parts[-1] == "[key]" and detail["type"] != "extra_forbidden":
        parts = parts[:-1]  # pydantic's mark behind a key that is itself wrong
    place: list[str] = []
    for part in parts:
        if part == UP:
            place.pop()
        else:
            place.append(f"/{_escaped(str(part))}")
    return FieldError("pointer", "".join(place), _code(detail), _message(detail))


def parameter_error(detail: ErrorDetails) -> FieldError:
    """A finding in a query string, by the parameter."""
    return FieldError("parameter", str(detail["loc"][0]), _code(detail), _message(detail))


def refuse_nul(value: Any) -> None:
    """PostgreSQL stores no NUL: name every field that holds one. Raises ValidationFailed."""
    if errors := nul_errors(value):
        raise ValidationFailed(errors=errors)


def nul_errors(value: Any) -> list[FieldError]:
    """Every field of a body that holds a NUL, as its value or in its name."""
    return [
        FieldError("pointer", pointer, "nul", "A text cannot hold the character NUL")
        for pointer in dict.fromkeys(_nul_pointers(value, ""))
    ]


def _nul_pointers(value: Any, path: str) -> Iterable[str]:
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


def _code(detail: ErrorDetails) -> str:
    return CODES.get(detail["type"], detail["type"])


def _message(detail: ErrorDetails) -> str:
    if detail["type"] in MESSAGES:
        return MESSAGES[detail["type"]]
    said = detail["msg"]
    for theirs, ours in REWORDED:
        said = said.replace(theirs, ours)
    return said
