"""The filter of timelines, apart from their types: contacts take it as an argument."""

import strawberry
from strawberry import UNSET

from core.read_models.timeline import Kind
from graphql_api.enums import wire_enum

TimelineKind = wire_enum("TimelineKind", Kind)


@strawberry.input(description="Only entries of these kinds.")
class TimelineFilter:
    kinds: list[TimelineKind] | None = UNSET
