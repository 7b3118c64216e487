"""Shapes that several answers share. They document and are checked in tests; answers are plain dicts."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Out(BaseModel):
    """An answer's shape in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


Env = Literal["live", "test"]
Metadata = dict[str, str | int | float | bool]
Timestamp = str


class FieldProblem(Out):
    """One wrong field: exactly one of pointer, parameter and header is present."""

    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None
    code: str
    message: str


class Problem(Out):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    instance: str
    request_id: str
    meta: dict[str, Any] | None = None
    errors: list[FieldProblem] | None = None
