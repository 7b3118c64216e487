"""Strict pydantic input models, and refusals that name every failing field at once."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
    Strict,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, from_json

from core.foundation.clock import as_shown
from core.foundation.database.pages import CEILING, DEFAULT_LIMIT, MAX_SKIP
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.json_values import JsonObject, object_of
from core.foundation.turns import in_turns
from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.field_errors import (
    body_error,
    nul_errors,
    parameter_error,
    refuse_nul,
)
from core.foundation.validation.field_messages import (
    MAX_COMPARED,
    METADATA_KEY,
    findings,
    worded,
)
from core.foundation.validation.field_names import names_at
from core.foundation.validation.json_syntax import not_json
from core.foundation.validation.phones import MaskedValue, NotAPhone, parse_phone
from core.foundation.validation.raw_items import items_apart, items_in_parts
from core.foundation.validation.validation_errors import Place, faults

MAX_ERRORS = 500
"""Of one refusal: whoever sends more faults than that has sent something else than this operation
takes.
"""

MAX_INTEGER = 2**53 - 1
"""Integers beyond this lose digits in most JSON readers."""


class Input(BaseModel):
    """A body: unknown fields are refused and nothing is coerced."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, populate_by_name=True, alias_generator=to_camel
    )


_PAGING = frozenset({"limit", "cursor"})
"""Parameters of a list whose page is found by an index; what is skipped is read."""


class QueryInput(BaseModel):
    """A query string: every value arrives as text, and unknown names are ignored."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, populate_by_name=True, alias_generator=to_camel
    )

    @property
    def is_plain(self) -> bool:
        """Whether a list is asked for without a filter. What it cannot be asked without, as the
        period of an endless list, is none: its pages are found by an index, too.
        """
        fields = type(self).model_fields
        return all(name in _PAGING or fields[name].is_required() for name in self.model_fields_set)


def _without_defaults(schema: JsonObject) -> None:
    for field in object_of(schema, "properties").values():
        if isinstance(field, dict):
            field.pop("default", None)


class Changes(Input):
    """A partial update: what is left out stays as it is (`model_fields_set` tells what was sent)."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)


class _NeverNull:
    """The schema of `X | None` without the null."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        nullable = handler(source)
        assert nullable["type"] == "nullable"
        inner: CoreSchema = nullable["schema"]
        return inner


Kept = TypeVar("Kept")
KeptWhenLeftOut = Annotated[Kept | None, _NeverNull()]
"""A field of `Changes` that cannot be cleared: None here means that it was left out; a null sent is
refused.
"""


@dataclass(frozen=True, slots=True)
class OfShape:
    """`Annotated[dict[str, Any], OfShape(Thing)]`: what its own validator reads has the form of
    this TypedDict, or is of this closed set; of a list, each of its items.
    """

    shape: Any


def _by_its_place(value: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(value)
    except ValidationError as invalid:
        raise faults((_inside(one), *worded(one)) for one in findings(invalid)) from None


def _inside(detail: ErrorDetails) -> Place:
    """Where a finding stands in the object of a union: at the field that tells the kind, or behind
    the member's name.
    """
    if detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return (detail["ctx"]["discriminator"].split("'")[-2],)  # its alias stands last
    return detail["loc"][1:]


ByItsPlace = WrapValidator(_by_its_place)
"""For a union whose members a field tells apart: its errors stand where the body has them.
(Pydantic names the member as if it were a field.)
"""

SomeInput = TypeVar("SomeInput", bound=Input)
SomeQuery = TypeVar("SomeQuery", bound=QueryInput)


def _metadata_value(value: object) -> object:
    match value:
        case bool():
            return value
        case str():
            if len(value) > 256:
                raise PydanticCustomError("too_long", "A metadata text has at most 256 characters")
            return value
        case int():
            if abs(value) > MAX_INTEGER:
                raise PydanticCustomError(
                    "too_large", "A metadata number lies within ±9007199254740991"
                )
            return value
        case float():
            if not math.isfinite(value):
                raise PydanticCustomError("not_finite", "A metadata number is finite")
            return value
    raise PydanticCustomError("wrong_type", "A metadata value is a text, a number or a boolean")


METADATA_SCHEMA: dict[str, Any] = {
    "x-name": "Metadata",
    "x-told": (
        "Data of your own system, returned as it came in every webhook of the "
        "message; nothing personal"
    ),
    "type": "object",
    "maxProperties": 20,
    "propertyNames": {"pattern": METADATA_KEY, "maxLength": 64},
    "additionalProperties": {
        "anyOf": [{"type": "string", "maxLength": 256}, {"type": "number"}, {"type": "boolean"}]
    },
}
"""The documentation makes a shape of this name of it."""

MetadataKey = Annotated[str, StringConstraints(pattern=METADATA_KEY, max_length=64)]
MetadataValue = Annotated[str | int | float | bool, PlainValidator(_metadata_value)]
Metadata = Annotated[
    dict[MetadataKey, MetadataValue], Field(max_length=20), WithJsonSchema(METADATA_SCHEMA)
]
"""Correlation data of the caller's system: 20 keys at most, flat."""


def at_most_decimals(most: int) -> AfterValidator:
    """Refuses a number with more decimals than its column keeps: nobody's number is rounded in
    silence.
    """

    def exact(value: float) -> float:
        exponent = Decimal(str(value)).normalize().as_tuple().exponent
        if isinstance(exponent, int) and -exponent > most:
            raise PydanticCustomError("too_precise", "Send at most {most} decimals", {"most": most})
        return value

    return AfterValidator(exact)


def _phone(value: str) -> str:
    try:
        return parse_phone(value)
    except MaskedValue:
        raise PydanticCustomError(
            "VALOR_MASCARADO", "This is a masked value; send the whole phone"
        ) from None
    except NotAPhone:
        raise PydanticCustomError(
            "invalid_phone",
            "This is not a valid phone number; send it in E.164, such as +5511987654321",
        ) from None


Phone = Annotated[str, StringConstraints(max_length=40), AfterValidator(_phone)]
"""A phone in any written form, read with Brazil as the default country; the value is E.164."""


def _in_utc(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise PydanticCustomError(
            "out_of_range", "The instant lies outside the years 1 to 9999 in UTC"
        ) from None


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LOST_PLUS = re.compile(r"(\d{4}-\d{2}-\d{2}[T ][\d:.,]+) (\d{2}:?\d{2})\Z", re.ASCII)
"""A plus that was not escaped in an address arrives as a space."""


def _written_out(value: object) -> object:
    """A bare number would be read as seconds since 1970; nobody who writes `2026` means that."""
    if isinstance(value, str):
        if not _DAY.match(value):
            raise PydanticCustomError(
                "wrong_format", "Send a date-time as ISO 8601, such as 2026-11-21T12:00:00Z"
            )
        return _LOST_PLUS.sub(r"\1+\2", value)
    if not isinstance(value, datetime):
        raise PydanticCustomError(
            "wrong_type", "Send a date-time as text, such as 2026-11-21T12:00:00Z"
        )
    return value


UtcTime = Annotated[datetime, Strict(False), BeforeValidator(_written_out), AfterValidator(_in_utc)]
"""An instant, in a body or a query; without a zone it is read as UTC."""


def _day_written_out(value: object) -> object:
    """The same for a day."""
    if not _DAY.match(str(value)):
        raise PydanticCustomError("wrong_format", "Send the date as YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_day_written_out)]
"""A day in a query, or of GraphQL."""

UntilShown = Annotated[UtcTime, AfterValidator(as_shown)]
"""The last instant of a period. Times are shown to the millisecond, so what is shown as this one
belongs to it too.
"""


LIMIT = f"How many at most: {DEFAULT_LIMIT} unless told; more than {CEILING} is cut to {CEILING}"
CURSOR = "`nextCursor` of the page before"
SINCE = "At or after this instant; without a zone it is UTC"
UNTIL = "At or before this instant; without a zone it is UTC"


class SkipPage(QueryInput):
    """A page of a list: `limit` is cut to the ceiling, `skip` or `cursor` says where it begins."""

    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP)] = Field(
        default=0, description="How many to leave out first"
    )
    cursor: str | None = Field(default=None, description=CURSOR)


def read_body(model: type[SomeInput], raw: bytes) -> SomeInput:
    """A body as the model. Raises BadRequest when it is not JSON, ValidationFailed when a field is
    wrong.
    """
    # Escaped is the only way to write a NUL; the parser is the one that reads the model.
    may_hold_nul = rb"\u0000" in raw
    apart = None if may_hold_nul else items_apart(model, raw)
    try:
        value = model.model_validate_json(
            apart.rest if apart else raw, by_alias=True, by_name=False
        )
    except ValidationError as invalid:
        details = findings(invalid)
        if details[0]["type"] == "json_invalid":
            raise not_json(raw) from None
        errors = [
            body_error(detail, names_at(model, detail["loc"][:-1]) if place < MAX_COMPARED else ())
            for place, detail in enumerate(details[:MAX_ERRORS])
        ]
        named = {error.where for error in errors}
        nul = nul_errors(from_json(raw)) if may_hold_nul else []
        errors += [error for error in nul if error.where not in named]
        raise ValidationFailed(errors=errors[:MAX_ERRORS], meta=_refinement(errors)) from None
    if may_hold_nul:
        refuse_nul(from_json(raw))
    return apart.put_back(value) if apart else value


async def read_body_in_turns(model: type[SomeInput], raw: bytes) -> SomeInput:
    """The same; where it has a long list (`ReadInParts`), requests get through meanwhile."""
    apart = None if rb"\u0000" in raw else items_in_parts(model, raw)
    if apart is None:
        return read_body(model, raw)
    try:
        value = model.model_validate_json(apart.first, by_alias=True, by_name=False)
        items = list(getattr(value, apart.field))
        async for part in in_turns(apart.parts):
            items += apart.reader.validate_json(part, by_alias=True, by_name=False)
    except ValidationError:
        return read_body(model, raw)  # which names all that is wrong where it stands
    return value.model_copy(update={apart.field: items})


def _refinement(errors: Iterable[FieldError]) -> dict[str, str]:
    """`meta.code` of a refusal: the first of the interface's own codes, which are written in
    capitals.
    """
    return next(({"code": error.code} for error in errors if error.code.isupper()), {})


def read_query(model: type[SomeQuery], pairs: Iterable[tuple[str, str]]) -> SomeQuery:
    """A query string as the model; the last of a repeated name wins, but where the field is a list.
    Raises ValidationFailed.
    """
    pairs = list(pairs)
    values: dict[str, object] = dict(pairs)
    for name in repeatable_names(model) & values.keys():
        values[name] = [value for other, value in pairs if other == name]
    names = query_names(model)
    nul = [
        FieldError("parameter", name, "nul", "A text cannot hold the character NUL")
        for name, value in dict(pairs).items()
        if "\x00" in value and name in names
    ]
    if nul:
        raise ValidationFailed(errors=nul)
    try:
        return model.model_validate(values, by_alias=True, by_name=False)
    except ValidationError as invalid:
        details = findings(invalid)
        raise ValidationFailed(errors=[parameter_error(detail) for detail in details]) from None


@cache
def query_names(model: type[QueryInput]) -> frozenset[str]:
    """The parameters that a query knows."""
    return frozenset(field.alias or name for name, field in model.model_fields.items())


@cache
def repeatable_names(model: type[QueryInput]) -> frozenset[str]:
    """The parameters that may stand there several times: those of fields that are lists."""
    return frozenset(
        field.alias or name
        for name, field in model.model_fields.items()
        if list in (get_origin(field.annotation), *map(get_origin, get_args(field.annotation)))
    )


@cache
def closed_sets(model: type[QueryInput]) -> Mapping[str, ClosedSet]:
    """The parameters that take any text though only some values can match, with these."""
    return {
        field.alias or name: mark
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, ClosedSet)
    }
