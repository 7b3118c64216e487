"""What can be asked of timelines."""

import strawberry
from strawberry import UNSET

from graphql_api.timeline.enums import TimelineKind


@strawberry.input(description="Only entries of these kinds.")
class TimelineFilter:
    kinds: list[TimelineKind] | None = UNSET
