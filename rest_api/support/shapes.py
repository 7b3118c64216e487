"""Shapes that several answers share. They document and are checked in tests; answers are plain
dicts.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from core.foundation.validation.inputs import METADATA_SCHEMA
from rest_api.support.problems import STATUS


class Out(BaseModel):
    """An answer's shape in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class ListAnswer(Out):
    """A list. `warnings` tells what of the query was passed over."""

    warnings: list[str] | None = Field(
        default=None,
        description="What was passed over, such as parameters that do not exist, and what else is "
        "to be known; absent without any",
    )


Env = Literal["live", "test"]
Metadata = Annotated[dict[str, str | int | float | bool], WithJsonSchema(METADATA_SCHEMA)]
Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Address = Annotated[str, Field(json_schema_extra={"format": "uri"})]


class FieldProblem(Out):
    """One wrong field: exactly one of pointer, parameter and header is present."""

    pointer: str | None = Field(default=None, description="JSON Pointer in the body")
    parameter: str | None = Field(default=None, description="Name of a query parameter")
    header: str | None = Field(default=None, description="Name of a header")
    code: str = Field(description="What programs decide by")
    message: str = Field(description="What is wrong, for a person")


class Problem(Out):
    """A refusal (RFC 9457)."""

    type: Address = Field(description="The address of a page that explains the code")
    title: str = Field(description="The name of the status")
    status: int = Field(description="The HTTP status")
    code: str = Field(
        description="What programs decide by", json_schema_extra={"enum": list(STATUS)}
    )
    detail: str = Field(description="One sentence for a person: what to do")
    instance: str = Field(description="The path of the request")
    request_id: str = Field(description="Names the request for support; also in X-Request-Id")
    meta: dict[str, Any] | None = Field(
        default=None, description="Facts; `code` or `motivo` refines the code"
    )
    errors: list[FieldProblem] | None = Field(default=None, description="Every wrong field")
