"""Bounds of filters: the variables of a GraphQL document have room for a megabyte of them."""

from collections.abc import Iterator

from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.validation.field_errors import refuse_nul

MAX_TEXT_LENGTH = 1_000
MAX_LIST_VALUES = 1_000


def refuse_unfit(filter: object) -> None:
    """Raises ValidationFailed for a text that no row can hold, and for a text or a list that is
    work for every row.
    """
    if wrong := list(_large(filter, "/filter")):
        raise ValidationFailed(errors=wrong)
    refuse_nul({"filter": filter})


def _large(value: object, path: str) -> Iterator[FieldError]:
    match value:
        case str() if len(value) > MAX_TEXT_LENGTH:
            yield FieldError(
                "pointer", path, "too_long", f"A text has at most {MAX_TEXT_LENGTH:,} characters"
            )
        case list() if len(value) > MAX_LIST_VALUES:
            yield FieldError(
                "pointer", path, "too_many", f"A list has at most {MAX_LIST_VALUES:,} values"
            )
        case list():
            for place, item in enumerate(value):
                yield from _large(item, f"{path}/{place}")
        case dict():
            for name, item in value.items():
                yield from _large(item, f"{path}/{name}")
