"""What may be absent: where it has to be there, and leaving out what is not."""

from collections.abc import Mapping
from typing import TypeVar

from core.foundation.errors import NotFound

Thing = TypeVar("Thing")
Name = TypeVar("Name")


def existing(thing: Thing | None, refusal: type[Exception] = NotFound) -> Thing:
    """What was looked for; where it is not there, the refusal is raised."""
    if thing is None:
        raise refusal
    return thing


def without_none(fields: Mapping[Name, Thing | None]) -> dict[Name, Thing]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}
