"""From the arguments of a field to core's inputs."""

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import orjson
from strawberry import UNSET
from strawberry.utils.str_converters import to_camel_case

from core.foundation.validation.inputs import Input, read_body

SomeInput = TypeVar("SomeInput", bound=Input)


def asked(model: type[SomeInput], **given: Any) -> SomeInput:
    """The arguments as core's input; null is as good as left out. Raises ValidationFailed."""
    return read_body(
        model, orjson.dumps({name: value for name, value in given.items() if value is not None})
    )


def by_wire_name(value: Any) -> Any:
    """An input object as the mapping that core reads, without what was left out."""
    if not is_dataclass(value):
        return value
    said = ((field.name, getattr(value, field.name)) for field in fields(value))
    return {
        to_camel_case(name).rstrip("_"): by_wire_name(one) for name, one in said if one is not UNSET
    }
