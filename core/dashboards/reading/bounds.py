"""What a filter may hold: over REST an address has little room, the variables of a document have a
megabyte.
"""

from collections.abc import Iterator
from typing import Any

from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.validation.field_errors import refuse_nul

LONGEST_TEXT = 1_000
MOST_VALUES = 1_000


def refuse_unfit(filter: Any) -> None:
    """Raises ValidationFailed for a text that no row can hold, and for a text or a list that is
    work for every row.
    """
    if wrong := list(_large(filter, "/filter")):
        raise ValidationFailed(errors=wrong)
    refuse_nul({"filter": filter})


def _large(value: Any, path: str) -> Iterator[FieldError]:
    match value:
        case str() if len(value) > LONGEST_TEXT:
            yield FieldError(
                "pointer", path, "too_long", f"A text has at most {LONGEST_TEXT:,} characters"
            )
        case list() if len(value) > MOST_VALUES:
            yield FieldError(
                "pointer", path, "too_many", f"A list has at most {MOST_VALUES:,} values"
            )
        case list():
            for place, item in enumerate(value):
                yield from _large(item, f"{path}/{place}")
        case dict():
            for name, item in value.items():
                yield from _large(item, f"{path}/{name}")
