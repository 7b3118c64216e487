"""The filter of timelines, apart from their types: contacts take it as an argument."""

import strawberry
from strawberry import UNSET

from core.read_models.timeline import Kind
from graphql_api.enums import enum_of


@strawberry.input(description="Only entries of these kinds.")
class TimelineFilter:
    kinds: list[enum_of(Kind)] | None = strawberry.field(
        default=UNSET, description="The kinds that are shown; left out, all of them"
    )
